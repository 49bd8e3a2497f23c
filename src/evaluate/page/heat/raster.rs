//! Indexed-colour PNG images, one pixel per cell.

use std::io::{self, Write};

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use plotters::style::RGBColor;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Cells of an image. 0 is transparent, n is colour n - 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellRaster {
    width: usize,
    cells: Vec<u8>,
}

impl CellRaster {
    /// A transparent image.
    pub fn new(width: usize, height: usize) -> CellRaster {
        CellRaster {
            width,
            cells: vec![0; width * height],
        }
    }

    /// Sets a cell; outside the image it does nothing.
    pub fn paint(&mut self, across: usize, down: usize, cell: u8) {
        if across < self.width
            && let Some(there) = self.cells.get_mut(down * self.width + across)
        {
            *there = cell;
        }
    }

    /// Returns the image as a PNG file, in which cell n has colour n - 1.
    ///
    /// # Errors
    ///
    /// None in practice: it is written to memory.
    pub fn png(&self, colours: &[RGBColor]) -> io::Result<Vec<u8>> {
        let rows = self.cells.chunks_exact(self.width.max(1));
        let mut header = Vec::with_capacity(13);
        for length in [self.width, rows.len()] {
            header.extend(u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
        }
        // Eight bits a pixel, an index into the palette; not interlaced.
        header.extend([8, 3, 0, 0, 0]);
        let mut palette = vec![0; 3];
        for &RGBColor(red, green, blue) in colours {
            palette.extend([red, green, blue]);
        }
        let mut data = ZlibEncoder::new(Vec::new(), Compression::best());
        for row in rows {
            // Filter type 0: none.
            data.write_all(&[0])?;
            data.write_all(row)?;
        }
        let mut png = SIGNATURE.to_vec();
        put(&mut png, b"IHDR", &header);
        put(&mut png, b"PLTE", &palette);
        put(&mut png, b"tRNS", &[0]);
        put(&mut png, b"IDAT", &data.finish()?);
        put(&mut png, b"IEND", &[]);
        Ok(png)
    }
}

/// Writes a chunk: its length, name, data and checksum.
fn put(png: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
    png.extend(length.to_be_bytes());
    png.extend(name);
    png.extend(data);
    let mut crc = Crc::new();
    crc.update(name);
    crc.update(data);
    png.extend(crc.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COLOURS: [RGBColor; 2] = [RGBColor(10, 20, 30), RGBColor(40, 50, 60)];

    proptest! {
        /// An independent PNG reader sees the painted pixels.
        #[test]
        fn pictures_are_read_back(width in 1usize..9, cells in proptest::collection::vec(0u8..3, 1..60)) {
            let height = cells.len().div_ceil(width);
            let mut raster = CellRaster::new(width, height);
            for (at, &cell) in cells.iter().enumerate() {
                raster.paint(at % width, at / width, cell);
            }
            let png = raster.png(&COLOURS).unwrap();
            let mut decoder = png::Decoder::new(io::Cursor::new(&png));
            decoder.set_transformations(png::Transformations::EXPAND);
            let mut reader = decoder.read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut pixels).unwrap();
            prop_assert_eq!((info.width as usize, info.height as usize), (width, height));
            for (pixel, cell) in pixels.chunks(4).zip(&cells) {
                let expected: &[u8] = match cell {
                    0 => &[0, 0, 0, 0],
                    1 => &[10, 20, 30, 255],
                    _ => &[40, 50, 60, 255],
                };
                prop_assert_eq!(pixel, expected);
            }
        }
    }

    #[test]
    fn nothing_is_painted_outside() {
        let mut raster = CellRaster::new(2, 2);
        for (across, down) in [(2, 0), (0, 2), (usize::MAX, 0), (1, 9)] {
            raster.paint(across, down, 1);
        }
        assert_eq!(raster, CellRaster::new(2, 2));
        assert!(CellRaster::new(0, 0).png(&COLOURS).is_ok());
    }
}
