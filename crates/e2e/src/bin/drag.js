// Runs inside the page: plays until a unit may march, then drags its ghost about and counts the frames.
const done = arguments[arguments.length - 1];
const part = (name) => [...document.querySelectorAll(`[data-test="${name}"]`)].find((one) => one.offsetParent);
const pause = (time) => new Promise((on) => setTimeout(on, time));
const frame = () => new Promise((on) => requestAnimationFrame(on));

// Gives whatever order lies in the hand, or passes, until a card offers a march.
async function until_march() {
  for (let tries = 0; tries < 400; tries++) {
    const give = part("give");
    if (give && !give.disabled) {
      give.click();
    } else {
      for (const unit of document.querySelectorAll('.left [data-test="unit"]')) {
        if (!unit.dataset.key.startsWith("@british")) continue;
        unit.click();
        await frame();
        const march = [...document.querySelectorAll('[data-test="card"] [data-test="order"]')].find((one) =>
          /march|move/i.test(one.dataset.order),
        );
        if (march) return { key: unit.dataset.key, march };
        break;
      }
      const orders = document.querySelectorAll('[data-test="general-orders"] [data-test="order"]');
      if (orders.length) orders[orders.length - 1].click();
    }
    await pause(50);
  }
  throw new Error("no unit may march: " + (part("question")?.innerText ?? "no question"));
}

function middle_of(key) {
  const box = document.querySelector(`[data-test="piece"][data-key="${key}"]`).getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag() {
  const { key, march } = await until_march();
  march.click();
  await frame();
  const map = part("map");
  const from = middle_of(key);
  const send = (kind, x, y) =>
    map.dispatchEvent(
      new PointerEvent(kind, { pointerId: 1, pointerType: "mouse", isPrimary: true, bubbles: true, clientX: x, clientY: y, buttons: 1 }),
    );
  send("pointerdown", from.x, from.y);
  const begun = performance.now();
  const times = [begun];
  let ghosts = 0;
  let handling = 0;
  let moves = 0;
  // The pointer moves sixty times a second whether or not the page keeps up.
  const pointer = setInterval(() => {
    const angle = (performance.now() - begun) / 400;
    const before = performance.now();
    send("pointermove", from.x + 60 * Math.sin(angle), from.y + 50 + 40 * Math.cos(angle * 0.7));
    handling += performance.now() - before;
    moves++;
  }, 1000 / 60);
  while (performance.now() - begun < 4000) {
    times.push(await frame());
    if (document.querySelector('[data-test="ghost"]')?.childElementCount) ghosts++;
  }
  clearInterval(pointer);
  const gaps = times.slice(2).map((time, n) => time - times[n + 1]);
  const seconds = (times.at(-1) - times[1]) / 1000;
  if (ghosts < gaps.length / 2) throw new Error(`no ghost followed the pointer: ${ghosts} of ${gaps.length} frames`);
  return { rate: gaps.length / seconds, count: gaps.length, seconds, slowest: Math.max(...gaps), handling: handling / moves };
}

drag().then(done, (error) => done({ error: String(error) }));
