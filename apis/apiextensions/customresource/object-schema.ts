import type { FieldType } from '../../../pkg/fieldmanager/type.js';
import type { KubeObject } from '../../../pkg/meta/types.js';
import type { Members } from '../../../pkg/object/is-object.js';
import { applyDefaults } from '../../../pkg/structural/defaults.js';
import { coerce } from '../../../pkg/structural/embedded.js';
import { fieldTypeOf } from '../../../pkg/structural/field-type.js';
import type { JsonSchema } from '../../../pkg/structural/json-schema.js';
import type { Structural } from '../../../pkg/structural/node.js';
import { prune } from '../../../pkg/structural/prune.js';
import { compile } from '../../../pkg/structural/structural.js';
import type { DecodedMembers, ObjectSchema } from '../../../registry/object-schema.js';

/** The schema of a version, compiled when the first object is read. */
export interface VersionSchema extends ObjectSchema {
  readonly structural: Structural;
  readonly json: JsonSchema;
}

const OPEN: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export function versionSchema(json: JsonSchema = OPEN, hasStatus: boolean): VersionSchema {
  let structural: Structural | undefined;
  let fieldType: FieldType | undefined;
  return {
    json,
    hasStatus,
    get structural() {
      structural ??= compile(json);
      return structural;
    },
    get fieldType() {
      fieldType ??= fieldTypeOf(json);
      return fieldType;
    },
    decode(object) {
      return decoded(this.structural, object);
    },
  };
}

function decoded(structural: Structural, object: Members): DecodedMembers {
  const { object: pruned, unknown } = prune(structural, object, { isResourceRoot: true });
  const coerced = coerce(structural, pruned);
  const filled = applyDefaults(structural, coerced.object);
  const unknownFields = [...unknown, ...coerced.unknown];
  return { object: filled as unknown as KubeObject, unknownFields, causes: coerced.causes };
}
