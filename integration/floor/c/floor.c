// What the C libraries of a Linux distribution need for a block, in CPU time of
// one thread: libtiff with all that it uses, and libdeflate and libjpeg-turbo by
// themselves.
//
//   cc -O2 -o floor floor.c -ltiff -ljpeg -ldeflate
//   floor write FILE COMPRESSION PREDICTOR SIDE SAMPLES BITS FORMAT   < raw samples
//   floor stored FILE                                                 writes the size of the tables, them, and the block
//   floor tiff|deflate|jpeg FILE SECONDS                              prints ns a block
#include <stdio.h> // jpeglib.h does not include it, and needs it

#include <jpeglib.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <time.h>

static void fail(const char *what) {
  fprintf(stderr, "floor: %s\n", what);
  exit(1);
}

static double cpuNanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

// writeTile makes a TIFF of one tile.
static void writeTile(char **args) {
  int compression = atoi(args[1]), predictor = atoi(args[2]), side = atoi(args[3]);
  int samples = atoi(args[4]), bits = atoi(args[5]), format = atoi(args[6]);
  tmsize_t size = (tmsize_t)side * side * samples * bits / 8;
  char *raw = malloc(size);
  if (!raw || fread(raw, 1, size, stdin) != (size_t)size) fail("too few samples");
  TIFF *t = TIFFOpen(args[0], "w");
  if (!t) fail("cannot write");
  TIFFSetField(t, TIFFTAG_IMAGEWIDTH, side);
  TIFFSetField(t, TIFFTAG_IMAGELENGTH, side);
  TIFFSetField(t, TIFFTAG_TILEWIDTH, side);
  TIFFSetField(t, TIFFTAG_TILELENGTH, side);
  TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, samples);
  TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, bits);
  TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, format);
  TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  if (!TIFFSetField(t, TIFFTAG_COMPRESSION, compression)) fail("libtiff lacks the compression");
  TIFFSetField(t, TIFFTAG_PHOTOMETRIC, samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
  if (predictor > 1) TIFFSetField(t, TIFFTAG_PREDICTOR, predictor);
  if (compression == COMPRESSION_JPEG && predictor == 0) { // 4:2:0
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_YCBCR);
    TIFFSetField(t, TIFFTAG_YCBCRSUBSAMPLING, 2, 2);
    TIFFSetField(t, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  }
  if (compression == COMPRESSION_JPEG) TIFFSetField(t, TIFFTAG_JPEGQUALITY, 85);
  if (TIFFWriteEncodedTile(t, 0, raw, size) < 0) fail("cannot encode");
  TIFFClose(t);
}

// block is the tile as it is stored, and what JPEG tiles share.
struct block {
  TIFF *tiff;
  unsigned char *stored, *pixels;
  void *tables;
  uint32_t tablesSize;
  tmsize_t storedSize, size;
};

static struct block openBlock(const char *file) {
  struct block b = {0};
  uint16_t compression;
  TIFFSetWarningHandler(0);
  b.tiff = TIFFOpen(file, "r");
  if (!b.tiff) fail("cannot open");
  TIFFGetField(b.tiff, TIFFTAG_COMPRESSION, &compression);
  if (compression == COMPRESSION_JPEG) {
    TIFFSetField(b.tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    TIFFGetField(b.tiff, TIFFTAG_JPEGTABLES, &b.tablesSize, &b.tables);
  }
  b.size = TIFFTileSize(b.tiff);
  b.storedSize = TIFFGetStrileByteCount(b.tiff, 0);
  b.stored = malloc(b.storedSize);
  b.pixels = malloc(b.size);
  if (TIFFReadRawTile(b.tiff, 0, b.stored, b.storedSize) != b.storedSize) fail("cannot read");
  return b;
}

static void byTIFF(struct block *b) {
  if (TIFFReadEncodedTile(b->tiff, 0, b->pixels, b->size) != b->size) fail("libtiff cannot decode");
}

static void byDeflate(struct block *b) {
  static struct libdeflate_decompressor *d;
  if (!d) d = libdeflate_alloc_decompressor();
  size_t n;
  if (libdeflate_zlib_decompress(d, b->stored, b->storedSize, b->pixels, b->size, &n) || n != (size_t)b->size)
    fail("libdeflate cannot decode");
}

static void byJPEG(struct block *b) {
  struct jpeg_decompress_struct d;
  struct jpeg_error_mgr errors;
  d.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&d);
  if (b->tables) {
    jpeg_mem_src(&d, b->tables, b->tablesSize);
    jpeg_read_header(&d, FALSE);
  }
  jpeg_mem_src(&d, b->stored, b->storedSize);
  jpeg_read_header(&d, TRUE);
  jpeg_start_decompress(&d);
  while (d.output_scanline < d.output_height) {
    JSAMPROW row = b->pixels + (size_t)d.output_scanline * d.output_width * d.output_components;
    jpeg_read_scanlines(&d, &row, 1);
  }
  jpeg_finish_decompress(&d);
  jpeg_destroy_decompress(&d);
}

static void measure(void (*decode)(struct block *), const char *file, double seconds) {
  struct block b = openBlock(file);
  decode(&b); // warms up
  double from = cpuNanoseconds(), taken = 0;
  int times = 0;
  while (taken < seconds * 1e9) {
    decode(&b);
    times++;
    taken = cpuNanoseconds() - from;
  }
  printf("%.0f\n", taken / times);
}

// writeStored writes the tables of JPEG and the block, both as they lie in the file.
static void writeStored(const char *file) {
  struct block b = openBlock(file);
  fwrite(&b.tablesSize, 4, 1, stdout);
  fwrite(b.tables, 1, b.tablesSize, stdout);
  fwrite(b.stored, 1, b.storedSize, stdout);
}

int main(int count, char **args) {
  if (count == 9 && !strcmp(args[1], "write")) writeTile(args + 2);
  else if (count == 3 && !strcmp(args[1], "stored")) writeStored(args[2]);
  else if (count == 4 && !strcmp(args[1], "tiff")) measure(byTIFF, args[2], atof(args[3]));
  else if (count == 4 && !strcmp(args[1], "deflate")) measure(byDeflate, args[2], atof(args[3]));
  else if (count == 4 && !strcmp(args[1], "jpeg")) measure(byJPEG, args[2], atof(args[3]));
  else fail("write FILE COMPRESSION PREDICTOR SIDE SAMPLES BITS FORMAT | stored FILE | tiff|deflate|jpeg FILE SECONDS");
  return 0;
}
