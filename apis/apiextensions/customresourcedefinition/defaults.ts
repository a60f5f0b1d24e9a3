import type {
  CustomResourceConversion,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
} from './schema.js';

const HTTPS_PORT = 443;

/**
 * The spec with the defaults of apiextensions.k8s.io/v1: the names that follow from the kind, no conversion, and the
 * port of a webhook's service.
 */
export function withDefaults(spec: CustomResourceDefinitionSpec): CustomResourceDefinitionSpec {
  return {
    ...spec,
    names: namesWithDefaults(spec.names ?? {}),
    ...(spec.versions && { versions: spec.versions.map((version) => ({ served: false, storage: false, ...version })) }),
    conversion: conversionWithDefaults(spec.conversion ?? { strategy: 'None' }),
  };
}

function namesWithDefaults(names: CustomResourceDefinitionNames): CustomResourceDefinitionNames {
  const { kind = '' } = names;
  if (kind === '') return names;
  return {
    ...names,
    singular: names.singular || kind.toLowerCase(),
    listKind: names.listKind || `${kind}List`,
  };
}

function conversionWithDefaults(conversion: CustomResourceConversion): CustomResourceConversion {
  const { webhook } = conversion;
  const service = webhook?.clientConfig?.service;
  if (webhook == null || service == null || service.port != null) return conversion;
  const clientConfig = { ...webhook.clientConfig, service: { ...service, port: HTTPS_PORT } };
  return { ...conversion, webhook: { ...webhook, clientConfig } };
}
