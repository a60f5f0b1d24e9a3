import type { ApiRequest } from '../../../pkg/http/handler.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import type { Client } from '../../client/client.js';
import type { SubresourceApplyCall } from '../../client/define-subresource.js';
import { servedSteps } from '../../kinds/conversion.js';
import type { Subresource } from '../../kinds/subresource.js';
import { auditDecoded } from '../body/body.js';
import { decodeConfiguration, requireManager, storedConfiguration } from '../body/configuration.js';
import { parseBoolean } from '../options/query.js';
import type { VerbTarget } from '../verb.js';
import { readDecoded, type SubresourceBody } from './subresource-body.js';

interface SubresourceResult {
  readonly answer: unknown;
  readonly warnings: readonly string[];
}

/**
 * Server-side apply through a subresource with bodies of its own kind, such as `scale`: the manager has an opinion on a
 * part of the object.
 */
export async function applyThrough(
  request: ApiRequest,
  target: VerbTarget,
  subresource: Subresource,
  client: Client,
): Promise<SubresourceResult> {
  requireManager(request);
  const decoded = auditDecoded(request, decodeConfiguration(request));
  const body = readDecoded(request, target, subresource.kind, decoded);
  const handler = subresource.handlers.apply as (call: SubresourceApplyCall) => Promise<unknown>;
  const apply = appliesTo(request, target, subresource, client, body);
  const answer = await handler({ sent: isObject(decoded.value) ? decoded.value : {}, apply });
  return { answer, warnings: body.warnings() };
}

function appliesTo(
  request: ApiRequest,
  { kind, info: { namespace, name } }: VerbTarget,
  subresource: Subresource,
  client: Client,
  body: SubresourceBody,
): SubresourceApplyCall['apply'] {
  const force = parseBoolean(request.query, 'force') === true;
  const through = { name: subresource.name, verb: 'patch', managesFields: true };
  return async (members) => {
    const object = { ...members, apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name } };
    const config = storedConfiguration(kind, { object, preconditions: body.preconditions(), force });
    // In the transaction, because nothing may fail after the commit.
    return client.apply(kind, namespace, config, through, (written) => servedSteps(kind, written.object));
  };
}
