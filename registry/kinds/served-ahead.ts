import { PLAIN } from '../../pkg/kube/json/json-steps.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { runStepsYielding } from '../../pkg/system/yielding/yielding.js';
import type { Bytes } from '../../storage/backend.js';
import { textSteps } from '../../storage/state/codec.js';
import type { Entry } from '../../storage/state/entry.js';
import { bytesSteps } from '../read/bytes-steps.js';
import { parsedInSteps } from '../read/reader.js';
import { isServedAsStored, servedSteps } from './conversion.js';
import type { Kind } from './kind.js';

/**
 * The object of a large entry as it is served. It is parsed in steps. Rejects with Retry if it takes time to convert
 * it.
 */
export async function servedInSteps(kind: Kind, entry: Entry): Promise<KubeObject> {
  return runStepsYielding(servedSteps(kind, await parsedInSteps(entry)));
}

/** The same as bytes. Returns the stored bytes if the object is served as it is stored. */
export async function servedBytesInSteps(kind: Kind, entry: Entry): Promise<Bytes> {
  if (isServedAsStored(kind, entry)) return entry.value;
  return textInSteps(await servedInSteps(kind, entry));
}

/** The text of a value that may be large. */
export async function textInSteps(value: unknown): Promise<Bytes> {
  return runStepsYielding(bytesSteps(textSteps(value, PLAIN)));
}
