import { badRequestData, plainFailure } from './errors.js';

/** A parameter of a path, which is percent-encoded. */
export function decodeParam(text: string | undefined): string {
  if (text === undefined) throw new Error('A legacy route uses a parameter that is not in its path.');
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw badRequestData(error);
  }
}

/** Throws 400 `<name> is invalid` for a parameter that is no integer. */
export function integerParam(name: string, text: string | undefined): number {
  const value = decodeParam(text);
  if (!/^[0-9]{1,15}$/.test(value)) throw plainFailure(400, `${name} is invalid`);
  return Number(value);
}
