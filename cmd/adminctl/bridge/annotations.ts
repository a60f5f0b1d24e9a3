import { z } from 'zod';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { allRanges, type RangeReader } from './annotation-ranges.js';
import { each } from './each.js';
import { isRefusal, type Move, PARALLEL, storing, taking } from './move.js';
import { ANNOTATIONS } from './resources.js';

const Annotation = z.object({
  id: z.number(),
  dashboardUID: z.string().nullish(),
  panelId: z.number().nullish(),
  alertId: z.number().nullish(),
  userUID: z.string().optional(),
  userId: z.number().optional(),
  login: z.string().optional(),
  newState: z.string().nullish(),
  prevState: z.string().nullish(),
  created: z.number().optional(),
  updated: z.number().optional(),
  time: z.number(),
  timeEnd: z.number().nullish(),
  text: z.string().default(''),
  tags: z.array(z.string()).nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
});
type Annotation = z.infer<typeof Annotation>;
const List = z.array(Annotation);

/** Takes annotations, one range of time after another. */
export async function takeAnnotations(move: Move): Promise<void> {
  const here = await numbersHere(move);
  const bar = move.progress('annotations');
  const tooMany: number[] = [];
  let done = 0;
  try {
    for await (const page of allRanges(readerOf(move, (from) => tooMany.push(from)))) {
      await each(page, PARALLEL, (annotation) => takeAnnotation(move, annotation, here));
      done += page.length;
      bar.update(done, done);
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    move.report.leaveOut('annotations', error.message);
  }
  if (tooMany.length > 0) {
    const where = tooMany.length === 1 ? `at ${tooMany[0]}` : `at ${tooMany.length} times, such as ${tooMany[0]},`;
    move.report.leaveOut('annotations', `${where} there are more than one answer can have`);
  }
  bar.stop();
}

/** What cannot be read becomes one row, however many ranges it is in. */
function readerOf({ source, page }: Move, onTooMany: (from: number) => void): RangeReader<Annotation> {
  return {
    read: (from, to, limit) => source.get('/api/annotations', List, { from, to, limit }),
    limit: page,
    tooMany: onTooMany,
  };
}

/** The names of the annotations here, by their numbers: the source does not tell names. */
async function numbersHere({ target, namespace }: Move): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  if (target.isPlanned(namespace)) return found;
  for await (const { metadata } of target.list(ANNOTATIONS, namespace, { namesOnly: true }))
    found.set(Number(metadata.labels?.[`${target.domain}/deprecatedInternalID`]), metadata.name);
  return found;
}

async function takeAnnotation(move: Move, annotation: Annotation, here: Map<number, string>): Promise<void> {
  const { id, time, timeEnd, text, tags, data, dashboardUID, created, updated } = annotation;
  const spec = {
    text,
    time,
    ...(timeEnd && timeEnd > time && { timeEnd }),
    ...(dashboardUID && { dashboardUID }),
    ...(annotation.panelId && { panelID: annotation.panelId }),
    ...(tags && tags.length > 0 && { tags }),
    ...(data && Object.keys(data).length > 0 && { data }),
    ...(annotation.alertId && { alertID: annotation.alertId }),
    ...(annotation.newState && { newState: annotation.newState }),
    ...(annotation.prevState && { prevState: annotation.prevState }),
  };
  const author = move.people.find({ id: annotation.userId, uid: annotation.userUID, login: annotation.login });
  const by = author && `${author.kind === 'User' ? 'user' : 'service-account'}:${author.name}`;
  const origin = { id, created: timeOf(created), createdBy: by, updated: timeOf(updated), updatedBy: by };
  await taking(move, ANNOTATIONS.plural, String(id), async () => {
    const name = await nameHere(move, annotation, here);
    await storing(move, ANNOTATIONS, { name, spec, origin });
  });
}

/** An annotation here with the same number is the same one if it has the same time, too. */
async function nameHere(
  { target, namespace }: Move,
  { id, time }: Annotation,
  here: Map<number, string>,
): Promise<string> {
  const other = here.get(id);
  if (other === undefined) return `a-${id}`;
  const { spec } = (await target.get(ANNOTATIONS, namespace, other)) as KubeObject<{ readonly time?: number }>;
  return spec?.time === time ? other : `a-${id}`;
}

const timeOf = (ms: number | undefined): string | undefined => (ms ? new Date(ms).toISOString() : undefined);
