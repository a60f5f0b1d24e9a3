import type { KubeObject } from '../../pkg/kube/meta/types.js';

/** A change of stored objects from one version of the data to the next (docs/adr/0038). */
export interface Migration {
  /** The version of the data afterwards. */
  readonly to: number;
  /**
   * The oldest version that a server must know to work with objects of both forms. It is below `to`, so that servers of
   * the version before go on during a rolling update: they already read the new form.
   */
  readonly reads: number;
  /** `<plural>.<group>` of the kinds whose objects change. */
  readonly resources: readonly string[];
  /** Pure. Returns the object in its new form, or undefined if it has this form already. */
  change(object: KubeObject): KubeObject | undefined;
}

/** The version of the data that a server with these migrations writes. */
export function versionOf(migrations: readonly Migration[], first: number): number {
  return migrations.at(-1)?.to ?? first;
}
