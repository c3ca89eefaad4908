//! skeleton: owner = muster. What a case may say beyond a set-up: where the bound stands when it begins.
