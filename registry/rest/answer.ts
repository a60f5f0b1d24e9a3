import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { warningHeaders } from '../../pkg/http/warnings.js';
import { inAcceptedForm } from '../../pkg/negotiation/forms.js';
import type { Answering } from '../client/client.js';

/**
 * Makes the answer to a write. All verbs that write give their client what this returns. So the whole answer is made in the transaction, before the
 * commit, in the form that the request accepts. If it cannot be made, nothing is changed.
 */
export function answering<Result>(
  request: ApiRequest,
  make: (result: Result) => ApiResponse,
): Answering<Result, ApiResponse> {
  return (result) => inAcceptedForm(request, make(result));
}

/** Warns of what was found in the body, whatever becomes of the request: as in Kubernetes, a refusal carries these warnings, too. */
export function warned(request: ApiRequest, warnings: readonly string[]): readonly string[] {
  if (warnings.length > 0) request.failureHeaders = warningHeaders(warnings);
  return warnings;
}
