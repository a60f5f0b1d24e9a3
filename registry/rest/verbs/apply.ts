import { warningHeaders } from '../../../pkg/http/warnings.js';
import { runStepsYielding, yieldIfLarge } from '../../../pkg/system/yielding/yielding.js';
import { Client } from '../../client/client.js';
import type { AppliedObject } from '../../write/apply.js';
import { answering, warned } from '../answer/answer.js';
import { renderSteps } from '../answer/render.js';
import { adviceOn } from '../answer/warnings.js';
import { auditDecoded, fieldValidationOf } from '../body/body.js';
import { decodeConfiguration, readConfiguration, requireManager, storedConfiguration } from '../body/configuration.js';
import { refuseIfMatch } from '../options/if-match.js';
import { parseBoolean } from '../options/query.js';
import { withWaiting, writeOptions } from '../options/write-options.js';
import { partOf, type Verb, writeThrough } from '../verb.js';

export const APPLY_PATCH = 'application/apply-patch+yaml';

/** PATCH with a configuration: server-side apply. The answer is 201 with a new object, or 200 with the changed one. */
export const apply: Verb = async (request, target) => {
  const { kind, registry, info } = target;
  const options = withWaiting(writeOptions(request, target), target);
  requireManager(request);
  refuseIfMatch(request, 'name the resourceVersion in the configuration');
  const force = parseBoolean(request.query, 'force') === true;
  const validation = fieldValidationOf(request);
  const decoded = auditDecoded(request, decodeConfiguration(request));
  await yieldIfLarge(request.body);
  const { config, warnings } = await runStepsYielding(readConfiguration(target, decoded, { validation, force }));
  warned(request, warnings);
  await yieldIfLarge(request.body);
  const client = new Client(registry, options);
  const configuration = storedConfiguration(kind, config);
  const advice = [...warnings, ...adviceOn(kind, config.object, partOf(info))];
  const through = writeThrough(info, 'patch');
  const answer = answering<AppliedObject>(request, ({ value, isNew, warnings: more = [] }) =>
    renderSteps(request, target, isNew ? 201 : 200, value, warningHeaders([...advice, ...more])),
  );
  return client.apply(kind, info.namespace, configuration, through, answer);
};
