import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Steps } from '../../../pkg/system/yielding/steps.js';
import type { CustomResourceDefinitionVersion } from '../customresourcedefinition/schema.js';
import { versionSchema } from './object-schema.js';
import { scalePaths } from './scale.js';
import type { Checked } from './strategy.js';

/** A version with all that follows from its part of the definition. */
export interface Version {
  readonly definition: CustomResourceDefinitionVersion;
  readonly name: string;
  readonly apiVersion: string;
  readonly checked: Checked;
}

/** Brings objects of any version to one version. */
export interface Converter {
  /** Throws Retry if the result is not there yet. */
  convert(to: Version, object: KubeObject): KubeObject;
  /** The same in steps. */
  readonly steps: (to: Version, object: KubeObject) => Steps<KubeObject>;
  /** The same for many objects, if this takes time. Rejects with an ApiError. */
  readonly convertAll?: (to: Version, objects: readonly KubeObject[]) => Promise<readonly KubeObject[]>;
}

export function versionOf(definition: CustomResourceDefinitionVersion, group: string): Version {
  const { name = '', schema, subresources } = definition;
  const hasStatus = subresources?.status != null;
  return {
    definition,
    name,
    apiVersion: `${group}/${name}`,
    checked: {
      schema: versionSchema(schema?.openAPIV3Schema ?? undefined, hasStatus),
      scale: subresources?.scale == null ? undefined : scalePaths(subresources.scale),
    },
  };
}

/** The strategy None: only the version changes. What the other version does not have is dropped. */
export const RENAMING: Converter = { convert: asVersion, steps: versionSteps };

export function asVersion({ apiVersion, checked }: Version, object: KubeObject): KubeObject {
  return { ...checked.schema.fit({ ...object, apiVersion }), metadata: object.metadata };
}

/** The same in steps. */
export function* versionSteps({ apiVersion, checked }: Version, object: KubeObject): Steps<KubeObject> {
  return { ...(yield* checked.schema.fitSteps({ ...object, apiVersion })), metadata: object.metadata };
}
