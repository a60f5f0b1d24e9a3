import { forbidden } from '../../../../pkg/kube/structural/cause.js';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { propertyOf } from '../../../../pkg/kube/structural/schema-parts.js';
import { invalid } from './field-error.js';
import { formMembers } from './members.js';
import type { Causes } from './steps.js';

/** Checks what a schema says about the kind, the apiVersion and the metadata of an object. Little is allowed. */
export function checkMetadata(schema: JsonSchema, path: string, level: string, causes: Causes): void {
  const isObject = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  if (isObject) {
    for (const name of ['kind', 'apiVersion']) {
      const property = propertyOf(schema, name);
      if (property === undefined || property.type === 'string') continue;
      causes.add(invalid(`${path}.properties[${name}].type`, property.type ?? '', 'must be string'));
    }
  }
  const metadata = propertyOf(schema, 'metadata');
  if (metadata === undefined) return;
  const metadataPath = `${path}.properties[metadata]`;
  if (isObject && metadata.type !== 'object') {
    causes.add(invalid(`${metadataPath}.type`, metadata.type ?? '', 'must be object'));
  }
  if (level === 'root' && saysMore(metadata)) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    causes.add(forbidden(metadataPath, why));
  }
}

/** Whether it says anything that is not about the name. */
function saysMore(metadata: JsonSchema): boolean {
  const names = Object.keys(metadata.properties ?? {});
  const isAboutName = names.every((name) => name === 'name' || name === 'generateName');
  const others = formMembers(metadata).filter((member) => !['type', 'default', 'properties'].includes(member));
  return !isAboutName || others.length > 0;
}
