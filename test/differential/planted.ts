import type { Pair } from './runner.js';
import type { Got } from './session.js';

/** Changed answers of this server, which a comparison must find. */
export const PLANTED: Readonly<Record<string, (got: Got) => Got>> = {
  'a status': (got) => ({ ...got, status: got.status === 404 ? 410 : got.status }),
  'a header': (got) => ({ ...got, headers: { ...got.headers, warning: undefined } }),
  'a member of a body': (got) => changed(got, 'generation', () => 7),
  'a manager': (got) => changed(got, 'managedFields', (all) => (all as unknown[]).slice(1)),
  'a reason': (got) => ({ ...got, body: { ...(got.body as object), reason: undefined } }),
};

export function withPlanted({ ours, theirs }: Pair, plant: (got: Got) => Got): Pair {
  return { ours: async (request) => plant(await ours(request)), theirs };
}

function changed(got: Got, member: string, change: (value: unknown) => unknown): Got {
  const { metadata, ...body } = (got.body ?? {}) as { readonly metadata?: Readonly<Record<string, unknown>> };
  if (metadata?.[member] === undefined) return got;
  return { ...got, body: { ...body, metadata: { ...metadata, [member]: change(metadata[member]) } } };
}
