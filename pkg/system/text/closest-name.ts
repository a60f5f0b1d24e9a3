import { closestMatch } from 'leven';

const LONGEST = 40;

/** The known name that a name differs from by case, by signs between words, or by about a letter in five. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const plain = plainly(name);
  const closest = closestMatch(plain, known.map(plainly), { maxDistance: Math.floor(plain.length / 5) });
  return known.find((candidate) => plainly(candidate) === closest);
}

const plainly = (name: string): string => name.toLowerCase().replaceAll(/[-_. ]/g, '');
