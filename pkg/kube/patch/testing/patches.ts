import { expect } from 'chai';
import { runSteps } from '../../../system/yielding/steps.js';
import { ApiError } from '../../status/status.js';
import { type JsonPatch, jsonPatchSteps, parseJsonPatch } from '../json-patch.js';

/** Does all steps of a patch. */
export function applyJsonPatch(document: unknown, patch: JsonPatch): unknown {
  return runSteps(jsonPatchSteps(document, patch));
}

/** Parses and applies a JSON patch, as a request does. */
export function apply(document: unknown, patch: unknown): unknown {
  return applyJsonPatch(document, parseJsonPatch(patch));
}

/** The error of a patch that is refused. Fails if there is none. */
export function refusal(call: () => unknown): { code: number; reason: string; message: string } {
  try {
    call();
  } catch (error) {
    expect(error).to.be.instanceOf(ApiError);
    const { code, reason, message } = error as ApiError;
    return { code, reason, message };
  }
  throw new Error('nothing was refused');
}

/** Makes the value and all its members immutable, to show that a patch changes neither. */
export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}
