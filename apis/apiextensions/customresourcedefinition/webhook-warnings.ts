import type { AddressGuard } from '../../../pkg/system/net/address-guard.js';
import type { CustomResourceDefinitionSpec } from './schema.js';

const CONFIG = 'spec.conversion.webhook.clientConfig';
const NO_SERVICE = `${CONFIG}.service: this server resolves no services, so it cannot convert objects: give a url instead`;

/** Warnings of a webhook that this server cannot ask. Names are looked up when it is asked. */
export function webhookWarnings({ conversion }: CustomResourceDefinitionSpec, guard: AddressGuard): readonly string[] {
  if (conversion?.strategy !== 'Webhook') return [];
  const { service, url } = conversion.webhook?.clientConfig ?? {};
  if (service != null) return [NO_SERVICE];
  const problem = url == null ? undefined : guard.problem(url);
  return problem === undefined ? [] : [`${CONFIG}.url: this server cannot convert objects: ${problem}`];
}
