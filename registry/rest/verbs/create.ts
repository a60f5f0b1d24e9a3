import { warningHeaders } from '../../../pkg/http/warnings.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import { Client } from '../../client/client.js';
import { answering } from '../answer/answer.js';
import { renderSteps } from '../answer/render.js';
import { adviceOn, finalizerWarnings } from '../answer/warnings.js';
import { decodeObjectBody } from '../body/body.js';
import { keepsOrigin } from '../options/keep-origin.js';
import { checkNamespaceInBody, withWaiting, writeOptions } from '../options/write-options.js';
import type { Verb } from '../verb.js';

/** POST to a collection. The answer is 201 with the object. */
export const create: Verb = async (request, target) => {
  const options = writeOptions(request, target);
  const isKeeping = keepsOrigin(request, target);
  const { object, raw, warnings } = await decodeObjectBody(request, target.kind);
  checkNamespaceInBody(target, object);
  // As in Kubernetes, 0 is none.
  if (!['', '0'].includes(object.metadata.resourceVersion ?? '')) {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
  const { kind, info } = target;
  const keeping = { ...withWaiting(options, target, raw), keepsOrigin: isKeeping };
  return new Client(target.registry, keeping).create(
    kind,
    info.namespace,
    object,
    answering(request, ({ value, warnings: missing = [] }) => {
      const advice = [...warnings, ...missing, ...finalizerWarnings(object), ...adviceOn(target.kind, object)];
      return renderSteps(request, target, 201, value, warningHeaders(advice));
    }),
  );
};
