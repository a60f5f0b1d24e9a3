const BLOCK = 512;

export interface TarEntry {
  /** At most 100 characters. */
  readonly name: string;
  readonly text: string;
}

/** An archive of small texts (POSIX ustar). */
export function tarOf(entries: readonly TarEntry[], seconds: number): Buffer {
  const files = entries.flatMap(({ name, text }) => {
    const bytes = Buffer.from(text);
    return [
      headerOf(name, bytes.byteLength, seconds),
      bytes,
      Buffer.alloc((BLOCK - (bytes.byteLength % BLOCK)) % BLOCK),
    ];
  });
  return Buffer.concat([...files, Buffer.alloc(2 * BLOCK)]);
}

function headerOf(name: string, size: number, seconds: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(name, 0, 100);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(seconds, 12), 136);
  // The checksum is made with spaces in its own place.
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return header;
}
