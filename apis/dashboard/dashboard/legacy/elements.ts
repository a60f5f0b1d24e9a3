import { z } from 'zod';
import { recordOf } from '../../../../pkg/kube/meta/bounded.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import type { LegacyTransaction } from '../../../../registry/legacy/call.js';
import { legacyErrorOf } from '../../../../registry/legacy/errors.js';
import { folderAnnotation } from '../../../folder/folder/schema.js';
import { ELEMENT_ERRORS } from '../../libraryelement/legacy/errors.js';
import { type LibraryElementSpec, PANEL } from '../../libraryelement/schema.js';

const MOST_ELEMENTS = 1000;

const SentElement = z.looseObject({
  name: z.string().nullish(),
  kind: z.int().nullish(),
  model: z.looseObject({}),
});

/** The library elements of an exported dashboard by uid. Older exports have an array of them. */
export const SentElements = z.preprocess(byUid, recordOf(SentElement, MOST_ELEMENTS).nullish()).optional();
export type SentElements = z.infer<typeof SentElements>;

function byUid(sent: unknown): unknown {
  if (!Array.isArray(sent)) return sent;
  return Object.fromEntries(
    sent.map((element: unknown) => [String((element as { readonly uid?: unknown } | null)?.uid ?? ''), element]),
  );
}

/**
 * Creates the elements that do not exist yet, in the folder. Others stay as they are, because other dashboards use
 * them, too.
 */
export function* createElements(transaction: LegacyTransaction, sent: SentElements, folder: string): Steps<void> {
  const elements = transaction.objects<LibraryElementSpec>('dashboard/LibraryElement');
  for (const [uid, { name, kind, model }] of Object.entries(sent ?? {})) {
    if (elements.find(uid) !== undefined) continue;
    const title = typeof model['title'] === 'string' ? model['title'].trim() : '';
    try {
      elements.create({
        metadata: { name: uid, annotations: { [folderAnnotation(elements.kind.domain)]: folder } },
        spec: { name: name || title || uid, kind: kind ?? PANEL, model },
      });
    } catch (error) {
      throw legacyErrorOf(error, ELEMENT_ERRORS);
    }
    yield;
  }
}
