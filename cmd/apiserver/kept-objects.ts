import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Backend } from '../../storage/backend.js';
import { Cacher } from '../../storage/cacher/cacher.js';
import type { CacherOptions } from '../../storage/cacher/options.js';
import type { DamageError } from '../../storage/damage.js';
import { Definitions } from '../../storage/state/definitions.js';
import type { CheckpointLimits, ScrubLimits } from '../../storage/tables/index.js';

export interface KeptObjectsOptions {
  /** A folder of this server alone. */
  readonly path: string;
  /** Several processes of the server use it, and another one has the lock of the server. */
  readonly isShared?: boolean | undefined;
  /** The free bytes of the disk that files leave for an embedded store beside them. */
  readonly reserve?: number | undefined;
  /** The settings that decide which rows and attributes objects have. */
  readonly settings: unknown;
  /** The resources that are encrypted in the store. No file has them. */
  readonly isEncrypted: (resource: string) => boolean;
  readonly limits?: CheckpointLimits | undefined;
  readonly scrub?: ScrubLimits | undefined;
  /** Called once for each file that is found to be damaged. */
  readonly onDamage?: ((error: DamageError) => void) | undefined;
  /** Called when the files were made again from the store, with the reason. */
  readonly onRefill?: ((why: string) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

export interface KeptObjects {
  readonly cacher: Cacher;
  /** Call this after the last write. */
  close(): Promise<void>;
}

/** Opens the state of a store, whose objects are kept in files. Without options, they are kept in memory. */
export async function openObjects(
  backend: Backend,
  cacherOptions: CacherOptions,
  options: KeptObjectsOptions | undefined,
): Promise<KeptObjects> {
  if (options === undefined) {
    const cacher = await Cacher.open(backend, cacherOptions);
    return { cacher, close: () => cacher.close() };
  }
  const { TableMaintenance, TableFolder } = await import('../../storage/tables/index.js');
  const { path, isShared, reserve, settings, isEncrypted, limits, scrub, onDamage, onRefill, onError } = options;
  const program = programOf(settings);
  const folder = await TableFolder.open(
    { path, isShared, reserve, program, inMemory: isEncrypted, onDamage },
    new Definitions(cacherOptions.definitions, cacherOptions.defined),
  );
  try {
    const cacher = await Cacher.open(backend, { ...cacherOptions, folder, onRefill });
    const maintenance = new TableMaintenance({ backend, cacher, folder, scrub, onError, ...(limits && { limits }) });
    maintenance.start();
    // All processes share the page cache of the machine, so only the one that writes warms it.
    if (folder.isWriter) void folder.warm();
    const close = async (): Promise<void> => {
      await maintenance.close();
      await cacher.close();
      await folder.close();
    };
    return { cacher, close };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** The file of the program names the hashes of all its parts (hack/build.sh), so another build has another one. */
function programOf(settings: unknown): string {
  const main = process.argv[1];
  const program = main === undefined ? '' : readFileSync(main);
  return createHash('sha256').update(program).update(JSON.stringify(settings)).digest('hex');
}
