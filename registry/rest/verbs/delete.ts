import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { jsonResponse } from '../../../pkg/http/json.js';
import { warningHeaders } from '../../../pkg/http/warnings.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { ApiError, type Status } from '../../../pkg/kube/status/status.js';
import { runSteps, type Steps } from '../../../pkg/system/yielding/steps.js';
import { decodeObject } from '../../../storage/state/codec.js';
import { Client } from '../../client/client.js';
import type { Kind } from '../../kinds/kind.js';
import type { WriteResult } from '../../write/write.js';
import { answering } from '../answer/answer.js';
import { deletedWithContainer } from '../answer/cascaded.js';
import { renderSteps } from '../answer/render.js';
import { deleteOptions } from '../body/delete-options.js';
import type { Verb, VerbTarget } from '../verb.js';

/**
 * DELETE of one object and the objects that depend on it. The answer is 200 with a Status, or with the object if its
 * kind returns deleted objects. If finalizers hold the object, the answer is the terminating object. A deletion that
 * came with the container a moment ago is no error.
 */
export const remove: Verb = async (request, target) => {
  const { registry, kind, info } = target;
  const { caller, options, warnings: ignored } = deleteOptions(request, target);
  const answer = answering<WriteResult>(request, (written) => answerSteps(request, target, written, ignored));
  try {
    return await new Client(registry, caller).delete(kind, info.namespace, info.name, options, answer);
  } catch (error) {
    const last = isNotFound(error) ? await deletedWithContainer(request, target, options.preconditions) : undefined;
    if (last === undefined) throw error;
    return runSteps(answer({ value: last, object: decodeObject(last) as KubeObject, isGone: true }));
  }
};

function* answerSteps(
  request: ApiRequest,
  target: VerbTarget,
  { value, object, isGone, warnings = [] }: WriteResult,
  ignored: readonly string[],
): Steps<ApiResponse> {
  const headers = warningHeaders([...ignored, ...warnings]);
  const isShown = !isGone || target.kind.conventions.returnsDeletedObject;
  if (isShown) return yield* renderSteps(request, target, 200, value, headers);
  return jsonResponse(request, 200, deleted(target.kind, object), headers);
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'NotFound';
}

/** `kubectl delete` waits until the uid is gone (docs/wire-contract.md, section 5.8). */
function deleted({ group, resource }: Kind, { metadata }: KubeObject): Status {
  const { name, uid } = metadata;
  const details = { name, group, kind: resource, ...(uid === undefined ? {} : { uid }) };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
