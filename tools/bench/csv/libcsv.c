/* Measures how fast libcsv finds the fields of a CSV file, with callbacks that only count, to compare our own scanner.
 *
 *   cc -O2 libcsv.c -lcsv -o libcsv && ./libcsv FILE
 *
 * Measured on 1 M rows of 7 columns (69 MB), one thread: libcsv finds the fields of 8 M rows a second and converts nothing;
 * our scanner finds those of 32 M, and with numbers converted and columns filled reads 10 M.
 */
#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static long fields, rows;

static void field(void *text, size_t length, void *data) {
  (void)text, (void)length, (void)data;
  fields++;
}

static void row(int end, void *data) {
  (void)end, (void)data;
  rows++;
}

int main(int count, char **arguments) {
  if (count < 2) return fprintf(stderr, "usage: libcsv FILE\n"), 64;
  FILE *file = fopen(arguments[1], "rb");
  if (!file) return perror(arguments[1]), 66;
  size_t capacity = 1 << 20, length;
  char *buffer = malloc(capacity);
  for (int round = 0; round < 3; round++) {
    struct csv_parser parser;
    csv_init(&parser, 0);
    rewind(file);
    fields = rows = 0;
    double start = now();
    while ((length = fread(buffer, 1, capacity, file)) > 0)
      csv_parse(&parser, buffer, length, field, row, NULL);
    csv_fini(&parser, field, row, NULL);
    csv_free(&parser);
    double seconds = now() - start;
    printf("%ld rows, %ld fields: %.3f s, %.1f M rows/s\n", rows, fields, seconds, rows / seconds / 1e6);
  }
}
