import { createHash } from 'node:crypto';
import { z } from 'zod';
import { badRequest } from '../../../pkg/kube/status/errors.js';

/** The start of the next page. `revision` is the revision of the first page, or -1 for the latest one. */
interface ContinueToken {
  readonly revision: number;
  /** The last key on the earlier pages. */
  readonly after: string;
  /** The number of objects on the earlier pages. */
  readonly given: number;
}

const Encoded = z.strictObject({
  v: z.literal('1'),
  rv: z.int().min(-1),
  after: z.string().max(2000),
  given: z.int().min(0),
  for: z.string().max(64),
});

/**
 * A token is opaque to clients and valid for one list only. `binding` names the resource, namespace, selectors and
 * caller of the list.
 */
export function encodeContinue(token: ContinueToken, binding: readonly string[]): string {
  const text = JSON.stringify({
    v: '1',
    rv: token.revision,
    after: token.after,
    given: token.given,
    for: digest(binding),
  });
  return Buffer.from(text).toString('base64url');
}

/** Throws 400 for a token that this function cannot decode, or that belongs to another list. */
export function decodeContinue(text: string, binding: readonly string[]): ContinueToken {
  const parsed = Encoded.safeParse(parseJson(text));
  if (!parsed.success)
    throw badRequest('invalid continue token: continue key is not valid, start the list again without it');
  if (parsed.data.for !== digest(binding)) {
    throw badRequest('invalid continue token: it belongs to a list of another resource, namespace, selector or caller');
  }
  return { revision: parsed.data.rv, after: parsed.data.after, given: parsed.data.given };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text.slice(0, 4096), 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function digest(binding: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(binding)).digest('base64url').slice(0, 22);
}
