import { jsonResponse } from '../../../pkg/http/json.js';
import { warningHeaders } from '../../../pkg/http/warnings.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { Client } from '../../client/client.js';
import { restore as restoreObject } from '../../history/restore.js';
import { RESTORE } from '../../kinds/past-subresources.js';
import { awaitCaller } from '../options/freshness.js';
import { writeOptions } from '../options/write-options.js';
import type { Verb } from '../verb.js';
import { readBody, typed } from './subresource-body.js';

/** POST to the subresource `restore`. The object may be deleted. */
export const restore: Verb = async (request, target) => {
  const { registry, kind, info } = target;
  await awaitCaller(registry.cacher, request);
  const options = writeOptions(request, target);
  const message = kind.subresources.find(({ name }) => name === RESTORE)?.kind;
  if (message === undefined) throw new Error(`${kind.kind} has no ${RESTORE}`);
  const body = readBody(request, target, message);
  const { spec } = body.members.body as {
    readonly spec: { readonly version?: number; readonly formerPlace?: boolean; readonly folder?: string };
  };
  const restored = await restoreObject(new Client(registry, options), {
    kind,
    namespace: info.namespace,
    name: info.name,
    version: spec.version,
    formerPlace: spec.formerPlace,
    container: spec.folder,
    preconditions: body.preconditions(),
  });
  const { uid = '', resourceVersion, generation = 1 } = restored.object.metadata;
  const { written, count, leftOut, warnings: consequences } = restored;
  const answer = {
    metadata: { uid, ...(resourceVersion !== undefined && { resourceVersion }) },
    spec: { version: restored.version },
    status: { version: generation, objects: count, restored: written.map(nameOf), leftOut },
  };
  const warnings = [
    ...body.warnings(),
    ...consequences,
    ...leftOut.map((item) => `not restored: ${item}. Create that anew, and then this object`),
  ];
  return jsonResponse(request, 201, typed(message, target, answer), warningHeaders(warnings));
};

/** The most characters of a title in an answer. */
const LONGEST_TITLE = 500;

function nameOf({ apiVersion, kind, metadata, spec }: KubeObject): object {
  const { title, name } = (spec ?? {}) as { readonly title?: unknown; readonly name?: unknown };
  const known = [title, name].find((text): text is string => typeof text === 'string' && text !== '');
  return {
    apiVersion,
    kind,
    name: metadata.name,
    ...(known !== undefined && { title: known.slice(0, LONGEST_TITLE) }),
  };
}
