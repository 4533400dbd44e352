//! An entry of the cache: a line with its kind, its key and a hash of all, then the image.

use crate::cache::CacheKey;
use crate::nvrtc::Image;

/// The beginning of every entry.
const NAME: &str = "limbforge-kernel ";

/// The number of the format. Entries of another one are compiled again.
const FORMAT: &str = "2";

/// The bytes of a file, decoded.
#[derive(Debug, PartialEq)]
pub(super) enum Decoded {
    /// An entry of this key.
    Image(Image),
    /// An entry that another version of limbforge has written.
    OtherFormat,
    /// Damaged, or an entry of another key.
    Wrong,
}

pub(super) fn encode(key: &CacheKey, image: &Image) -> Vec<u8> {
    let (kind, payload) = match image {
        Image::Cubin(code) => ("cubin", code.as_slice()),
        Image::Ptx(text) => ("ptx", text.as_bytes()),
    };
    let mut entry = format!("{NAME}{FORMAT} {kind} {key} {}\n", hash(kind, key, payload)).into_bytes();
    entry.extend_from_slice(payload);
    entry
}

pub(super) fn decode(key: &CacheKey, entry: &[u8]) -> Decoded {
    let Some((header, payload)) = split(entry) else { return Decoded::Wrong };
    let Some((format, rest)) = header.strip_prefix(NAME).and_then(|header| header.split_once(' ')) else {
        return Decoded::Wrong;
    };
    if format != FORMAT {
        let is_number = !format.is_empty() && format.bytes().all(|byte| byte.is_ascii_digit());
        return if is_number { Decoded::OtherFormat } else { Decoded::Wrong };
    }
    // The key is in the header, and in the hash: neither a copy of another entry nor a changed header passes.
    let is_own = |kind| rest == format!("{kind} {key} {}", hash(kind, key, payload));
    if is_own("cubin") {
        return Decoded::Image(Image::Cubin(payload.to_vec()));
    }
    match String::from_utf8(payload.to_vec()) {
        Ok(text) if is_own("ptx") => Decoded::Image(Image::Ptx(text)),
        _ => Decoded::Wrong,
    }
}

/// The first line, and what follows it.
fn split(entry: &[u8]) -> Option<(&str, &[u8])> {
    let end = entry.iter().position(|&byte| byte == b'\n')?;
    Some((std::str::from_utf8(&entry[..end]).ok()?, &entry[end + 1..]))
}

fn hash(kind: &str, key: &CacheKey, payload: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(kind.as_bytes()).update(b"\n").update(key.0.as_bytes()).update(payload);
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> CacheKey {
        CacheKey(blake3::hash(&[byte]))
    }

    #[test]
    fn there_and_back() {
        for image in
            [Image::Cubin(vec![]), Image::Cubin(vec![0, 10, 255]), Image::Ptx(".version 9.0\n".to_owned())]
        {
            assert_eq!(decode(&key(1), &encode(&key(1), &image)), Decoded::Image(image));
        }
    }

    #[test]
    fn an_entry_of_another_key_is_none() {
        let image = Image::Cubin(vec![1, 2, 3]);
        let entry = encode(&key(1), &image);
        assert_eq!(decode(&key(2), &entry), Decoded::Wrong);
        // Neither is one whose header was changed to the other key.
        let header = String::from_utf8_lossy(&entry[..entry.len() - 3]).into_owned();
        let mut forged = header.replace(&key(1).to_string(), &key(2).to_string()).into_bytes();
        forged.extend([1, 2, 3]);
        assert_eq!(decode(&key(2), &forged), Decoded::Wrong);
    }

    #[test]
    fn an_entry_of_another_format_is_no_damage() {
        assert_eq!(decode(&key(1), b"limbforge-kernel 1 cubin 00\n..."), Decoded::OtherFormat);
        assert_eq!(decode(&key(1), b"limbforge-kernel x cubin 00\n..."), Decoded::Wrong);
    }

    #[test]
    fn every_changed_bit_and_every_truncation_is_noticed() {
        let entry = encode(&key(1), &Image::Cubin(vec![1, 2, 3]));
        let is_read = |entry: &[u8]| matches!(decode(&key(1), entry), Decoded::Image(_));
        for length in 0..entry.len() {
            assert!(!is_read(&entry[..length]), "{length}");
        }
        for bit in 0..8 * entry.len() {
            let mut damaged = entry.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_read(&damaged), "{bit}");
        }
    }
}
