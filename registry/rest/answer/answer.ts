import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { inAcceptedForm, isFormedLate, jsonIn } from '../../../pkg/http/negotiation/forms.js';
import { warningHeaders } from '../../../pkg/http/warnings.js';
import type { Steps } from '../../../pkg/system/yielding/steps.js';
import type { AnswerSteps } from '../../client/client.js';

/**
 * Makes the answer to a write. All verbs that write give their client what this returns. So the whole answer is made in
 * the transaction, before the commit, in the form that the request accepts. If it cannot be made, nothing is changed.
 * Only a large answer in YAML, or indented, is made after the commit. If that fails, it stays in compact JSON.
 */
export function answering<Result>(
  request: ApiRequest,
  make: (result: Result) => Steps<ApiResponse>,
): AnswerSteps<Result, ApiResponse> {
  return (result) => formSteps(request, make(result));
}

function* formSteps(request: ApiRequest, steps: Steps<ApiResponse>): Steps<ApiResponse> {
  const response = yield* steps;
  const body = jsonIn(response);
  return body !== undefined && isFormedLate(request, body) ? response : inAcceptedForm(request, response);
}

/**
 * Warns of what was found in the body, whatever becomes of the request: as in Kubernetes, a refusal carries these
 * warnings, too.
 */
export function warned(request: ApiRequest, warnings: readonly string[]): readonly string[] {
  if (warnings.length > 0) request.failureHeaders = warningHeaders(warnings);
  return warnings;
}
