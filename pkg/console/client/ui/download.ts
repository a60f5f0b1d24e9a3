/** Milliseconds after which the browser has read the file. */
const READ_WITHIN = 60_000;

/** Saves a text as a file of the person. */
export function download(text: string, file: string, type = 'application/json'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_WITHIN);
}
