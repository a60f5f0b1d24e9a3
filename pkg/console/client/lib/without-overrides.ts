/**
 * A title without the characters that turn the order of letters around until they are ended, so that nobody can make
 * one title look like another one.
 */
export function withoutOverrides(title: string): string {
  return title.replace(/[\u202a-\u202e]/g, '');
}
