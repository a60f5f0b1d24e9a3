import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { jsonResponse } from '../../../pkg/http/json.js';
import { warningHeaders } from '../../../pkg/http/warnings.js';
import { apiVersionOf, type KubeObject } from '../../../pkg/kube/meta/types.js';
import { Client, type ClientOptions } from '../../client/client.js';
import type { SubresourceCall, SubresourceTransaction } from '../../client/define-subresource.js';
import { convertedObject, servedObject } from '../../kinds/conversion.js';
import type { Subresource, SubresourceVerb } from '../../kinds/subresource.js';
import { checkPreconditions } from '../../write/prepare.js';
import type { ObjectChange, SubresourceWrite } from '../../write/write.js';
import { checkRepresentation, renderObject } from '../answer/render.js';
import { deleteOptions } from '../body/delete-options.js';
import { awaitCaller } from '../options/freshness.js';
import { refuseIfMatch } from '../options/if-match.js';
import { writeOptions } from '../options/write-options.js';
import type { Methods, Verb, VerbTarget } from '../verb.js';
import { authorizedEntry } from './get.js';
import { isApply } from './patch.js';
import { applyThrough } from './subresource-apply.js';
import { NO_BODY, readBody, readPatch, type SubresourceBody, typed } from './subresource-body.js';

const METHODS: Readonly<Record<string, SubresourceVerb>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The verbs of a subresource by HTTP method. */
export function subresourceMethods(subresource: Subresource): Methods {
  const present = Object.entries(METHODS).filter(([, verb]) => subresource.verbs.includes(verb));
  return Object.fromEntries(present.map(([method, verb]) => [method, [verb, verbOf(subresource, verb)]]));
}

type Handler = (call: SubresourceCall & SubresourceBody['members']) => unknown;

/** Authorizes a request on the object, decodes it, and calls the handler of the kind. */
function verbOf(subresource: Subresource, verb: SubresourceVerb): Verb {
  const handler = subresource.handlers[verb] as Handler;
  return async (request, target) => {
    const { registry, kind } = target;
    await awaitCaller(registry.cacher, request);
    if (verb !== 'get') refuseIfMatch(request, 'name the resourceVersion in the body');
    const options = optionsOf(request, target, subresource, verb);
    const entry = authorizedEntry(request, target, verb);
    const isApplied = verb === 'patch' && subresource.handlers.apply !== undefined && isApply(request);
    const client = new Client(registry, options);
    if (isApplied) {
      const { answer, warnings } = await applyThrough(request, target, subresource, client);
      return respond(request, target, subresource, 200, answer, warnings);
    }
    const body = bodyOf(request, target, subresource, verb);
    const answer = await handler({
      object: convertedObject(kind, entry.value),
      client,
      isDryRun: options.isDryRun === true,
      now: () => registry.clock.now(),
      transact: (work) => transact(client, target, writeOf(subresource, verb), body, work),
      ...body.members,
    });
    return respond(request, target, subresource, verb === 'create' ? 201 : 200, answer, body.warnings());
  };
}

function writeOf({ name, managesFields = false }: Subresource, verb: string): SubresourceWrite {
  return { name, verb, managesFields };
}

function optionsOf(
  request: ApiRequest,
  target: VerbTarget,
  { kind }: Subresource,
  verb: SubresourceVerb,
): ClientOptions {
  if (verb === 'delete') return deleteOptions(request, target).caller;
  const answerKind = kind === undefined ? target.kind : { apiVersion: apiVersionOf(kind), kind: kind.kind };
  if (verb !== 'get') return writeOptions(request, target, answerKind);
  checkRepresentation(request, 'object', answerKind);
  return { user: request.user, signal: request.cancellation };
}

function bodyOf(
  request: ApiRequest,
  target: VerbTarget,
  { kind }: Subresource,
  verb: SubresourceVerb,
): SubresourceBody {
  if (verb === 'create' || verb === 'update') return readBody(request, target, kind);
  return verb === 'patch' ? readPatch(request, target, kind) : NO_BODY;
}

function transact<Result>(
  client: Client,
  { kind, info: { namespace, name } }: VerbTarget,
  subresource: SubresourceWrite,
  body: SubresourceBody,
  work: (part: SubresourceTransaction) => Result,
): Promise<Result> {
  return client.transact((transaction) => {
    const object = transaction.getFor(kind, namespace, name, subresource);
    checkPreconditions(kind, object, body.preconditions());
    const objects = transaction.objects(kind, namespace);
    const update = (change: ObjectChange): KubeObject => servedObject(kind, objects.update(name, change, subresource));
    const result = work({ transaction, object, update });
    // The preconditions of a patch are known only now. A failure rolls back the writes of `work`.
    checkPreconditions(kind, object, body.preconditions());
    return result;
  });
}

function respond(
  request: ApiRequest,
  target: VerbTarget,
  { kind: message }: Subresource,
  status: number,
  answer: unknown,
  warnings: readonly string[],
): ApiResponse {
  const headers = warningHeaders(warnings);
  if (message !== undefined) return jsonResponse(request, status, typed(message, target, answer), headers);
  return renderObject(request, target, status, Buffer.from(JSON.stringify(answer)), headers);
}
