import type { FieldType } from '../../../pkg/kube/fieldmanager/type.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { after, atOnce, type Changed, result } from '../../../pkg/kube/structural/copy.js';
import { startDefaults } from '../../../pkg/kube/structural/defaults.js';
import { startCoerce } from '../../../pkg/kube/structural/embedded.js';
import { fieldTypeOf } from '../../../pkg/kube/structural/field-type.js';
import type { JsonSchema } from '../../../pkg/kube/structural/json-schema.js';
import type { Structural } from '../../../pkg/kube/structural/node.js';
import { startPrune } from '../../../pkg/kube/structural/prune.js';
import { pruneDefaults } from '../../../pkg/kube/structural/prune-defaults.js';
import { compile } from '../../../pkg/kube/structural/structural.js';
import type { Members } from '../../../pkg/system/object/is-object.js';
import { runSteps, type Steps } from '../../../pkg/system/yielding/steps.js';
import type { DecodedMembers, ObjectSchema } from '../../../registry/kinds/object-schema.js';

/** The schema of a version, compiled when the first object is read. */
export interface VersionSchema extends ObjectSchema {
  readonly structural: Structural;
  readonly json: JsonSchema;
  /**
   * The part of an object of another version that this version has. As in Kubernetes, a conversion adds no defaults.
   * Otherwise, a client that applies a configuration would become the manager of the defaults.
   */
  fit(object: Members): KubeObject;
  /** The same in steps. */
  fitSteps(object: Members): Steps<KubeObject>;
  /**
   * A stored object with all defaults. It stays as it is if they are too many, so that whoever changes a definition
   * leaves no object that nobody can read.
   */
  completeStored(object: KubeObject): KubeObject;
  /** The same in steps. */
  completeStoredSteps(object: KubeObject): Steps<KubeObject>;
}

const OPEN: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export function versionSchema(json: JsonSchema = OPEN, hasStatus: boolean): VersionSchema {
  let structural: Structural | undefined;
  let fieldType: FieldType | undefined;
  return {
    json,
    hasStatus,
    get structural() {
      structural ??= compile(pruneDefaults(json));
      return structural;
    },
    get fieldType() {
      fieldType ??= fieldTypeOf(json);
      return fieldType;
    },
    decode(object) {
      return result(decoded(this.structural, object, false));
    },
    decodeApplied(object) {
      return result(decoded(this.structural, object, true));
    },
    fit(object) {
      return atOnce(fitted(this.structural, object)).object as unknown as KubeObject;
    },
    *fitSteps(object) {
      return (yield* result(fitted(this.structural, object))).object as unknown as KubeObject;
    },
    complete(object) {
      return result(startDefaults(this.structural, object));
    },
    completeStored(object) {
      return runSteps(this.completeStoredSteps(object));
    },
    *completeStoredSteps(object) {
      try {
        return yield* this.complete(object);
      } catch (error) {
        if (error instanceof ApiError) return object;
        throw error;
      }
    },
  };
}

function decoded(structural: Structural, object: Members, keepsNulls: boolean): Changed<DecodedMembers> {
  return after(fitted(structural, object), ({ object: fit, unknownFields, causes }) =>
    after(startDefaults(structural, fit, keepsNulls), (whole) => ({
      object: whole as unknown as KubeObject,
      unknownFields,
      causes,
    })),
  );
}

/** What a decoded object has before its defaults. */
type Fitted = Omit<DecodedMembers, 'object'> & { readonly object: Members };

function fitted(structural: Structural, object: Members): Changed<Fitted> {
  return after(startPrune(structural, object, { isResourceRoot: true }), ({ object: pruned, unknown }) =>
    after(startCoerce(structural, pruned), ({ object: coerced, unknown: more, causes }) => ({
      object: coerced,
      unknownFields: [...unknown, ...more],
      causes,
    })),
  );
}
