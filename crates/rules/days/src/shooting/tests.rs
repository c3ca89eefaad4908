//! Fire.
