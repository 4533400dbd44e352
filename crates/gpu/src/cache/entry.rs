//! An entry of the cache: a line that says what follows and its hash, then the image.

use crate::nvrtc::Image;

/// The beginning of every entry. The number changes when the format does; then old entries are compiled again.
const FORMAT: &str = "limbforge-kernel 1";

pub(super) fn encode(image: &Image) -> Vec<u8> {
    let (kind, payload) = match image {
        Image::Cubin(code) => ("cubin", code.as_slice()),
        Image::Ptx(text) => ("ptx", text.as_bytes()),
    };
    let mut entry = format!("{FORMAT} {kind} {}\n", hash(kind, payload)).into_bytes();
    entry.extend_from_slice(payload);
    entry
}

/// None for bytes that are not exactly an entry.
pub(super) fn decode(entry: &[u8]) -> Option<Image> {
    let end = entry.iter().position(|&byte| byte == b'\n')?;
    let header = std::str::from_utf8(&entry[..end]).ok()?;
    let (kind, expected) = header.strip_prefix(FORMAT)?.strip_prefix(' ')?.split_once(' ')?;
    let payload = &entry[end + 1..];
    if hash(kind, payload) != expected {
        return None;
    }
    match kind {
        "cubin" => Some(Image::Cubin(payload.to_vec())),
        "ptx" => Some(Image::Ptx(String::from_utf8(payload.to_vec()).ok()?)),
        _ => None,
    }
}

fn hash(kind: &str, payload: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(kind.as_bytes()).update(b"\n").update(payload);
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for image in
            [Image::Cubin(vec![]), Image::Cubin(vec![0, 10, 255]), Image::Ptx(".version 9.0\n".to_owned())]
        {
            assert_eq!(decode(&encode(&image)), Some(image));
        }
    }

    #[test]
    fn every_changed_bit_and_every_truncation_is_noticed() {
        let entry = encode(&Image::Cubin(vec![1, 2, 3]));
        for length in 0..entry.len() {
            assert_eq!(decode(&entry[..length]), None, "{length}");
        }
        for bit in 0..8 * entry.len() {
            let mut damaged = entry.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decode(&damaged), None, "{bit}");
        }
    }
}
