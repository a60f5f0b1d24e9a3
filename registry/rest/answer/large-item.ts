import { LARGE_FORM } from '../../../pkg/http/negotiation/forms.js';
import { sideThread } from '../../../pkg/http/threads/side-thread.js';
import { prettyItem } from '../../../pkg/kube/json/pretty.js';
import { toYamlItem } from '../../../pkg/kube/json/to-yaml.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { decodeObject } from '../../../storage/state/codec.js';
import type { Entry } from '../../../storage/state/entry.js';
import type { Kind } from '../../kinds/kind.js';
import { servedBytesInSteps, servedInSteps, textInSteps } from '../../kinds/served-ahead.js';
import { isLong } from '../../read/reader.js';

/** How the items of a list are written. */
type ItemForm = 'compact' | 'pretty' | 'yaml';

/** What the items of a list are. */
export interface ItemStyle {
  readonly kind: Kind;
  readonly form: ItemForm;
  /** The item of an object. Absent: the object itself. */
  readonly of?: (object: KubeObject) => object;
}

/**
 * Whether the item of an object is made in steps and in a thread, because all at once would keep the event loop busy
 * for as long as a second.
 */
export function isLargeItem(entry: Entry, form: ItemForm): boolean {
  return form === 'compact' ? isLong(entry) : entry.size >= LARGE_FORM;
}

/** The bytes of such an item. */
export async function largeItem(entry: Entry, { kind, form, of }: ItemStyle): Promise<Uint8Array> {
  const bytes =
    of === undefined ? await servedBytesInSteps(kind, entry) : await textInSteps(of(await servedInSteps(kind, entry)));
  if (form === 'compact') return bytes;
  if (bytes.byteLength < LARGE_FORM) return Buffer.from(itemText(decodeObject(bytes), form));
  const made = await sideThread.run({ job: form === 'yaml' ? 'jsonToYamlItem' : 'jsonToPrettyItem', bytes });
  return made.bytes;
}

/** The text of an item. */
export function itemText(item: unknown, form: ItemForm): string {
  if (form === 'yaml') return toYamlItem(item);
  return form === 'pretty' ? prettyItem(item) : JSON.stringify(item);
}
