import type { ApiRequest } from '../../../pkg/http/handler.js';
import { jsonResponse } from '../../../pkg/http/json.js';
import { isYaml, mediaTypeOf } from '../../../pkg/http/media-type.js';
import { warningHeaders } from '../../../pkg/http/warnings.js';
import { parseLabelSelector } from '../../../pkg/kube/selectors/labels.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import type { ApplySetRequest, ManifestObject } from '../../applyset/manifest-object.js';
import type { ApplySpec } from '../../applyset/messages.js';
import { APPLY } from '../../applyset/names.js';
import { Client } from '../../client/client.js';
import { entryAttributes } from '../../kinds/authorizer.js';
import { type Manifest, manifestsOf, readManifests } from '../body/apply-set-manifests.js';
import { fieldValidationOf } from '../body/body.js';
import { awaitCaller } from '../options/freshness.js';
import { parseBoolean } from '../options/query.js';
import { writeOptions } from '../options/write-options.js';
import type { Verb, VerbTarget } from '../verb.js';
import { readDecoded, typed } from './subresource-body.js';

/** The most warnings of one answer. */
const MOST_WARNINGS = 100;
const LONGEST_MANAGER = 128;

/** POST to the subresource `apply`: applies many objects in one commit. The set need not exist. */
export const applyObjects: Verb = async (request, target) => {
  const { registry, kind, info } = target;
  writeOptions(request, target);
  const force = parseBoolean(request.query, 'force') === true;
  const validation = fieldValidationOf(request);
  const message = kind.subresources.find(({ name }) => name === APPLY)?.kind;
  if (message === undefined) throw new Error(`${kind.kind} has no ${APPLY}`);
  await awaitCaller(registry.cacher, request);
  const options = writeOptions(request, target);
  authorizeEarly(request, target);
  const { rest, manifests } = await manifestsOf(request, mediaType(request));
  const body = readDecoded(request, target, message, rest);
  const { spec } = body.members.body as { readonly spec: ApplySpec };
  const fieldManager = request.query.get('fieldManager') || `applyset-${info.name}`.slice(0, LONGEST_MANAGER);
  const warnings: string[] = [];
  const wanted = await readManifests(manifests ?? spec.objects.map(asManifest), {
    request,
    target,
    validation,
    force,
    fieldManager,
    warn: (warning) => warnings.length < MOST_WARNINGS && warnings.push(warning),
  });
  const client = new Client(registry, { ...options, fieldManager });
  const applied = await client.applySet({
    ...requestOf(target, spec, wanted),
    force,
    fieldManager,
  });
  const { plan, isCreated, revision, warnings: consequences } = applied;
  const isDryRun = options.isDryRun === true;
  const status = {
    ...(!isDryRun && { resourceVersion: String(revision) }),
    summary: plan.summary,
    plan: plan.objects,
  };
  const answer = typed(message, target, { status });
  return jsonResponse(
    request,
    isCreated && !isDryRun ? 201 : 200,
    answer,
    warningHeaders([...body.warnings(), ...consequences.slice(0, MOST_WARNINGS), ...warnings]),
  );
};

function mediaType(request: ApiRequest): 'json' | 'yaml' {
  return isYaml(mediaTypeOf(request)) ? 'yaml' : 'json';
}

/** Before the body is decoded. The commit decides again. */
function authorizeEarly({ user }: ApiRequest, { registry, kind, info }: VerbTarget): void {
  const { namespace, name } = info;
  const entry = registry.reader.entry(kind.qualified, namespace, name);
  const attributes = { user, verb: 'create', kind, namespace, name, subresource: APPLY };
  registry.authorizer.authorize({ ...attributes, ...(entry && { object: entryAttributes(entry) }) }, registry.reader);
}

function asManifest(value: unknown): Manifest {
  return { value, duplicates: [], bytes: Buffer.from(JSON.stringify(value)) };
}

function requestOf(
  { info: { name, namespace } }: VerbTarget,
  { prune }: ApplySpec,
  wanted: readonly ManifestObject[],
): Omit<ApplySetRequest, 'force' | 'fieldManager'> {
  const { enabled = false, selector = '' } = prune ?? {};
  const parsed = parseLabelSelector(selector);
  if (enabled && prune?.selector !== undefined && parsed.empty)
    throw badRequest('spec.prune.selector: an empty selector would select everything');
  return {
    name,
    namespace,
    wanted,
    prune: enabled,
    selector: parsed.empty ? undefined : (labels) => parsed.matches(labels),
  };
}
