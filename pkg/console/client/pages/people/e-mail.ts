/** Throws for a text that can be no e-mail address. The APIs take any text, and may be left without one. */
export function requireAddress(text: string): void {
  if (text !== '' && !/^[^\s@]+@[^\s@]+$/.test(text.trim()))
    throw new Error('This is no e-mail address. It has the form name@example.com.');
}
