import { z } from 'zod';
import { withSyncedModel } from '../../../apis/dashboard/libraryelement/model.js';
import { pages } from '../../../pkg/legacyclient/pages.js';
import type { Draft } from './draft.js';
import { each } from './each.js';
import { allOf, type Move, PARALLEL, storing, taking } from './move.js';
import { folderIn, levelsAbove, type Places } from './place.js';
import { ELEMENTS } from './resources.js';

const Author = z.object({ name: z.string().optional() }).optional();
const Element = z.object({
  id: z.number().optional(),
  uid: z.string(),
  name: z.string(),
  kind: z.number(),
  folderUid: z.string().optional(),
  model: z.record(z.string(), z.unknown()),
  version: z.number().optional(),
  meta: z
    .object({
      folderUid: z.string().optional(),
      created: z.string().optional(),
      updated: z.string().optional(),
      createdBy: Author,
      updatedBy: Author,
    })
    .default({}),
});
type Element = z.infer<typeof Element>;
const Page = z.object({ result: z.object({ elements: z.array(Element) }) }).transform(({ result }) => result.elements);

/** Takes library elements. Their connections follow from the panels of the dashboards. */
export async function takeElements(move: Move, places: Places): Promise<void> {
  const options = { path: '/api/library-elements', schema: Page, size: 100, sizeParameter: 'perPage' };
  const bar = move.progress('library elements');
  let done = 0;
  for (const all = pages(move.source, options); ; ) {
    const page = await allOf(move, 'library elements', nextOf(all));
    if (page.length === 0) break;
    await each(page, PARALLEL, async (element) => {
      await takeElement(move, element, places);
      bar.update(++done, done);
    });
  }
  bar.stop();
}

/** One page, so that only its elements are in memory. */
async function* nextOf<T>(all: AsyncGenerator<readonly T[], void>): AsyncGenerator<readonly T[], void> {
  const { value } = await all.next();
  if (value !== undefined) yield value;
}

async function takeElement(move: Move, element: Element, places: Places): Promise<void> {
  const { id, uid, version, meta } = element;
  const folder = folderIn(element.folderUid || meta.folderUid);
  const name = `${uid} (${element.name})`;
  if (levelsAbove(places, folder) === undefined)
    return move.report.skip(ELEMENTS.plural, name, `its folder ${folder} was not taken`);
  const { people } = move;
  const authors = {
    createdBy: people.authorOf(meta.createdBy?.name),
    updatedBy: people.authorOf(meta.updatedBy?.name),
  };
  await taking(move, ELEMENTS.plural, name, () =>
    storing(move, ELEMENTS, {
      name: uid,
      spec: specOf(element),
      annotations: { folder },
      origin: { id, version, created: meta.created, updated: meta.updated, ...authors },
    }),
  );
}

/** Its type and its description are also in its model. The server fills them in, and a manifest has them, too. */
function specOf({ uid, name, kind, model }: Element): Draft['spec'] {
  const spec = { name, kind, model };
  return { ...(withSyncedModel({ apiVersion: '', kind: '', metadata: { name: uid }, spec }).spec ?? spec) };
}
