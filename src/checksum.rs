//! The checksum of everything: CRC-64/XZ.

/// CRC-64/XZ of some bytes.
///
/// ```
/// assert_eq!(endpaper::checksum::crc64(b"123456789"), 0x995d_c9bb_df19_39fa);
/// ```
pub fn crc64(bytes: &[u8]) -> u64 {
    let mut digest = crc64fast::Digest::new();
    digest.write(bytes);
    digest.sum64()
}
