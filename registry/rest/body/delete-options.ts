import { z } from 'zod';
import type { ApiRequest } from '../../../pkg/http/handler.js';
import { parseSent } from '../../../pkg/kube/json/corrected.js';
import { type Decoded, decodeJson } from '../../../pkg/kube/json/decode.js';
import { issuesWithMessages } from '../../../pkg/kube/json/parse-schema.js';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';
import { PROTOBUF_MEDIA_TYPE } from '../../../pkg/kube/protobuf/types.js';
import { badRequest, invalid } from '../../../pkg/kube/status/errors.js';
import type { ClientOptions } from '../../client/client.js';
import type { Propagation } from '../../kinds/propagation.js';
import type { DeleteOptions } from '../../write/delete.js';
import type { Preconditions } from '../../write/prepare.js';
import { ifMatch, refuseIfMatch } from '../options/if-match.js';
import { parseBoolean, parseInteger } from '../options/query.js';
import { isDryRun, writeOptions } from '../options/write-options.js';
import type { VerbTarget } from '../verb.js';
import { auditDecoded, decodeBody, decodeProtobuf, mediaType } from './body.js';

/**
 * metav1.DeleteOptions, which clients send as a body or as query parameters. Members that are not known are refused,
 * because a deletion without the precondition that its client meant is worse than none.
 */
const Body = z.strictObject({
  apiVersion: z.string().optional(),
  kind: z.literal('DeleteOptions').optional(),
  gracePeriodSeconds: z.number().int().min(0).nullish(),
  preconditions: z.strictObject({ uid: z.string().nullish(), resourceVersion: z.string().nullish() }).nullish(),
  orphanDependents: z.boolean().nullish(),
  propagationPolicy: z.string().nullish(),
  dryRun: arrayOf(z.string(), 100).nullish(),
  /** Means nothing here: the server deletes without reading the object anew. */
  ignoreStoreReadErrorWithClusterBreakingPotential: z.boolean().nullish(),
});

const KIND = { group: 'meta.k8s.io', kind: 'DeleteOptions' } as const;

/** The caller and the options of a DELETE request. */
interface DeleteRequest {
  readonly caller: ClientOptions;
  readonly options: DeleteOptions;
  /** What the request asks for in vain. */
  readonly warnings: readonly string[];
}

/** Throws 400 for a body or parameter that cannot be parsed, and 422 for options that contradict each other. */
export function deleteOptions(request: ApiRequest, target: VerbTarget): DeleteRequest {
  const body = parseBody(request);
  const { query } = request;
  const policy = policyOf(body.propagationPolicy ?? query.get('propagationPolicy') ?? undefined);
  const warnings = graceWarnings(body.gracePeriodSeconds, query);
  const orphan = body.orphanDependents ?? parseBoolean(query, 'orphanDependents');
  if (policy !== undefined && orphan !== undefined) {
    const message = 'Invalid value: orphanDependents and deletionPropagation cannot be both set';
    throw invalid(KIND, '', [{ reason: 'FieldValueInvalid', message, field: 'propagationPolicy' }]);
  }
  const caller = writeOptions(request, target);
  const isBodyDryRun = isDryRun(body.dryRun ?? [], KIND.kind);
  const options = {
    preconditions: {
      ...precondition('uid', body.preconditions?.uid ?? query.get('uid')),
      ...precondition('resourceVersion', versionOf(request, target, body.preconditions?.resourceVersion)),
    },
    propagation: policy ?? (orphan === undefined ? undefined : orphan ? ('Orphan' as const) : ('Background' as const)),
    operation: operationIn(query),
    parameters: parameters(request, target),
  };
  return { caller: isBodyDryRun ? { ...caller, isDryRun: true } : caller, options, warnings };
}

/** A text of the client that tells which deletions belong together. The trash shows it. */
const OPERATION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

function operationIn(query: URLSearchParams): string | undefined {
  const text = query.get('operation') ?? undefined;
  if (text !== undefined && !OPERATION.test(text))
    throw badRequest(
      'the query parameter operation must be 1 to 63 letters, digits, dots, hyphens or underscores, and begin with a letter or digit',
    );
  return text;
}

/** The version of `If-Match` counts as a precondition, too. Throws 400 if another one is named. */
function versionOf(request: ApiRequest, { info }: VerbTarget, inBody: string | null | undefined): string | null {
  if (info.name === '') refuseIfMatch(request, 'a collection has no version');
  const [version, tag] = [inBody ?? request.query.get('resourceVersion'), ifMatch(request)];
  if (tag !== undefined && version !== null && version !== tag)
    throw badRequest('If-Match and the precondition resourceVersion name two versions');
  return tag ?? version;
}

/** No kind has a grace period, but a wrong one is a mistake of the client. */
function graceWarnings(inBody: number | null | undefined, query: URLSearchParams): readonly string[] {
  const seconds = parseInteger(query, 'gracePeriodSeconds') ?? 0;
  if (seconds < 0) throw badRequest('the query parameter gracePeriodSeconds must not be negative');
  return (inBody ?? seconds) > 0 ? ['gracePeriodSeconds has no effect: objects are deleted at once'] : [];
}

/**
 * An empty precondition is one that no object fulfils, as in Kubernetes: a client sends it for an object that it never
 * read.
 */
function precondition(name: keyof Preconditions, value: string | null): Preconditions {
  return value === null ? {} : { [name]: value };
}

function parseBody(request: ApiRequest): z.infer<typeof Body> {
  if (request.body.byteLength === 0) return {};
  const { data, issues } = parseSent(Body, auditDecoded(request, decode(request)).value ?? {});
  if (issues.length === 0) return data as z.infer<typeof Body>;
  const [issue] = issuesWithMessages(issues);
  const field = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  throw badRequest(`the body must be DeleteOptions: ${field}${issue?.message ?? ''}`.slice(0, 500));
}

function decode(request: ApiRequest): Decoded {
  const type = mediaType(request);
  if (type === PROTOBUF_MEDIA_TYPE) return decodeProtobuf(request);
  return type === 'application/json' ? decodeJson(request.body, request.limits) : decodeBody(request);
}

function policyOf(text: string | undefined): Propagation | undefined {
  if (text === undefined) return undefined;
  if (text === 'Orphan' || text === 'Background' || text === 'Foreground') return text;
  const message = `Unsupported value: ${JSON.stringify(text.slice(0, 100))}: supported values: "Background", "Foreground", "Orphan"`;
  throw invalid(KIND, '', [{ reason: 'FieldValueNotSupported', message, field: 'propagationPolicy' }]);
}

/** The parameters that the kind declares. Throws 400 for an invalid one. */
function parameters({ query }: ApiRequest, { kind }: VerbTarget): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, schema] of Object.entries(kind.deleteOptions ?? {})) {
    const text = query.get(name);
    if (text === null) continue;
    const parsed = schema.safeParse(text);
    if (!parsed.success)
      throw badRequest(`the query parameter ${name} is not valid: ${parsed.error.issues[0]?.message ?? ''}`);
    values.set(name, parsed.data);
  }
  return values;
}
