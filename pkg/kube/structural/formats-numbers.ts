const NOT_DIGITS = /[^0-9]+/g;
const SPACES_AND_DASHES = /[\t\n\f\r -]/g;
const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const ISBN10 = /^(?:[0-9]{9}X|[0-9]{10})$/;
const ISBN13 = /^[0-9]{13}$/;
const SSN = /^\d{3}[- ]?\d{2}[- ]?\d{4}$/;

/** With a right checksum. Anything may stand between the digits. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(NOT_DIGITS, '');
  return CARD.test(digits) && luhnSum(digits) % 10 === 0;
}

function luhnSum(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const value = i % 2 === 1 ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
  }
  return sum;
}

export function isIsbn10(text: string): boolean {
  const isbn = text.replace(SPACES_AND_DASHES, '');
  if (!ISBN10.test(isbn)) return false;
  const digits = [...isbn].map((char) => (char === 'X' ? 10 : Number(char)));
  return digits.reduce((sum, digit, i) => sum + (i + 1) * digit, 0) % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const isbn = text.replace(SPACES_AND_DASHES, '');
  if (!ISBN13.test(isbn)) return false;
  return [...isbn].reduce((sum, char, i) => sum + (i % 2 === 0 ? 1 : 3) * Number(char), 0) % 10 === 0;
}

/** A social security number of 11 characters: with both separators. */
export function isSsn(text: string): boolean {
  return text.length === 11 && SSN.test(text);
}
