import { z } from 'zod';
import type { ApiResponse } from '../../../../pkg/http/handler.js';
import { arrayOf } from '../../../../pkg/kube/meta/bounded.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { annotationsOf } from './lookup.js';
import { save } from './write.js';

const Tags = z.union([z.string(), arrayOf(z.string(), 1000)]);
export const Event = z.object({
  what: z.string().nullish(),
  tags: z.unknown().optional(),
  when: z.number().nullish(),
  data: z.string().nullish(),
});

export const EVENT_FAILED = 'Failed to save Graphite annotation';

/** The start of the year 5000, in seconds. Some agents send milliseconds, so a later time is taken as milliseconds. */
const LAST_SECOND = 95_617_584_000;

/** An event becomes an annotation of the organization. */
export async function createEvent(call: LegacyCall): Promise<ApiResponse> {
  const annotations = annotationsOf(call);
  const { apiVersion, kind } = annotations.kind;
  annotations.authorize('create', { apiVersion, kind, metadata: { name: '', namespace: annotations.namespace } });
  const { what, tags: sent, when, data } = call.body(Event);
  const tags = Tags.safeParse(sent);
  if (!what || !tags.success) throw plainFailure(400, EVENT_FAILED);
  const list = (typeof tags.data === 'string' ? tags.data.split(' ') : tags.data).filter((tag) => tag.trim() !== '');
  return save(call, 'Graphite annotation added', {
    text: data ? `${what}\n${data}` : what,
    time: timeOf(when) ?? call.now(),
    ...(list.length > 0 && { tags: list }),
  });
}

/** Milliseconds. */
function timeOf(when: number | null | undefined): number | undefined {
  if (!when) return undefined;
  return Math.floor(when > LAST_SECOND ? when : when * 1000);
}
