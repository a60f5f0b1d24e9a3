import { dictionary } from '@zxcvbn-ts/language-common';

const MOST_COMMON = 10_000;

/** In lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, MOST_COMMON));
