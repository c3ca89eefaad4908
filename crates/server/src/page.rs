//! The browser table: files built by `cargo xtask ui` and carried inside the program.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

/// What `cargo xtask ui` left in the folder when the program was built.
#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

const INDEX: &str = "index.html";
/// Packed copies of a file, best first: coding and ending.
const PACKED: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];
/// Digits a name must end with for the name to change whenever the file does.
const HASH_DIGITS: usize = 8;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Grognard</title>\
<body style=\"font-family:serif;max-width:40em;margin:3em auto;line-height:1.5\"><h1>Grognard</h1>\
<p>The server is well, but the browser table has not been built into this program.</p>\
<p>Build it with <code>cargo xtask ui</code> and start again, or run <code>cargo play</code>, which does both.</p>\
<p>Programs are served all the same: see <a href=\"/api/openapi.json\">/api/openapi.json</a>.</p></body></html>";

/// Serves a file, or the one page there is: routes below it belong to the browser.
pub async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    serve_from::<Page>(&method, &uri, &headers)
}

fn serve_from<P: RustEmbed>(method: &Method, uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return crate::failure::Failure::unknown("there is no such route; see /api/openapi.json").into_response();
    }
    if *method != Method::GET && *method != Method::HEAD {
        return crate::failure::Failure::new(StatusCode::METHOD_NOT_ALLOWED, "a page is only read").into_response();
    }
    let hidden = path.split('/').any(|part| part.starts_with('.'));
    if !path.is_empty() && !hidden && P::get(path).is_some() {
        return file::<P>(path, headers);
    }
    // A file that is asked for by name and not there must not come back as a page.
    if path.rsplit('/').next().is_some_and(|name| name.contains('.')) {
        return crate::failure::Failure::unknown("there is no such file").into_response();
    }
    match P::get(INDEX) {
        Some(_) => file::<P>(INDEX, headers),
        None => ([(header::CACHE_CONTROL, "no-cache")], Html(NOT_BUILT)).into_response(),
    }
}

fn file<P: RustEmbed>(path: &str, headers: &HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let packed = PACKED.iter().filter(|(coding, _)| accepts(accepted, coding));
    let found = packed.filter_map(|(coding, ending)| Some((P::get(&format!("{path}{ending}"))?, Some(*coding))));
    let plain = || P::get(path).map(|file| (file, None));
    let Some((file, coding)) = found.into_iter().next().or_else(plain) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    answer(path, file, coding, headers)
}

fn answer(path: &str, file: EmbeddedFile, coding: Option<&'static str>, asked: &HeaderMap) -> Response {
    let digest: String = file.metadata.sha256_hash().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{digest}\"");
    let cache = if is_hashed(path) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let known = asked.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let fresh = known.split(',').any(|known| known.trim().trim_start_matches("W/") == tag);
    let mut response =
        if fresh { StatusCode::NOT_MODIFIED.into_response() } else { file.data.into_owned().into_response() };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    if let Some(coding) = coding.filter(|_| !fresh) {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    response
}

/// Whether a header takes a coding: named, and not with a quality of nought.
fn accepts(header: &str, coding: &str) -> bool {
    header.split(',').any(|offer| {
        let mut parts = offer.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
        named && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// `table-0a1b2c3d.wasm` never changes; `index.html` does.
fn is_hashed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let digits = stem.rsplit(['-', '_']).next().filter(|digits| digits.len() < stem.len()).unwrap_or_default();
    digits.len() >= HASH_DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" | "webmanifest" => "application/json",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod checks {
    use super::*;

    /// A page as `cargo xtask ui` leaves it.
    #[derive(RustEmbed)]
    #[folder = "tests/page/"]
    struct Fixture;

    fn ask(path: &str, asked: &[(header::HeaderName, &str)]) -> Response {
        let mut headers = HeaderMap::new();
        for (name, value) in asked {
            headers.insert(name, value.parse().unwrap());
        }
        serve_from::<Fixture>(&Method::GET, &path.parse().unwrap(), &headers)
    }

    fn header(response: &Response, name: header::HeaderName) -> &str {
        response.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }

    async fn body(response: Response) -> String {
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[tokio::test]
    async fn wasm_goes_packed_where_it_may_and_always_under_its_own_kind() {
        let path = "/table-0a1b2c3d.wasm";
        for (accepted, coding, text) in
            [("gzip, br", "br", "brotli wasm"), ("gzip", "gzip", "gzip wasm"), ("identity", "", "plain wasm")]
        {
            let response = ask(path, &[(header::ACCEPT_ENCODING, accepted)]);
            assert_eq!(header(&response, header::CONTENT_TYPE), "application/wasm");
            assert_eq!(header(&response, header::CONTENT_ENCODING), coding);
            assert!(header(&response, header::CACHE_CONTROL).contains("immutable"));
            assert_eq!(body(response).await, text);
        }
    }

    #[tokio::test]
    async fn the_page_is_asked_after_each_time_and_sent_only_when_it_changed() {
        let first = ask("/", &[]);
        assert_eq!(header(&first, header::CACHE_CONTROL), "no-cache");
        let tag = header(&first, header::ETAG).to_owned();
        assert!(body(first).await.contains("fixture"));
        let again = ask("/battle/12", &[(header::IF_NONE_MATCH, &tag)]);
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(body(again).await, "");
        let other = ask("/", &[(header::IF_NONE_MATCH, "\"other\"")]);
        assert_eq!(other.status(), StatusCode::OK);
        assert_eq!(ask("/table-0a1b2c3d.js", &[]).status(), StatusCode::OK);
        assert_eq!(ask("/table-00000000.js", &[]).status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn only_names_with_a_hash_may_be_kept_for_ever() {
        assert!(is_hashed("table-0a1b2c3d4e.wasm"));
        assert!(is_hashed("snippets/x_00ff00ff.js"));
        assert!(!is_hashed("index.html"));
        assert!(!is_hashed("table-bg.wasm"));
        assert!(!is_hashed("deadbeef.js"));
    }

    #[test]
    fn a_packed_copy_goes_only_to_whom_it_may() {
        assert!(accepts("gzip, deflate, br;q=0.9", "br"));
        assert!(accepts("GZIP", "gzip"));
        assert!(!accepts("gzip, br;q=0", "br"));
        assert!(!accepts("", "gzip"));
    }
}
