/**
 * The build replaces node-gyp-build-optional-packages, which lmdb asks for its native part, by this module. The part is in a package of its own for
 * each platform (`@lmdb/lmdb-linux-x64`). It is found by the name in the package.json of lmdb, of which the build has a copy. So the package needs no
 * script at installation.
 */
import { fileURLToPath } from 'node:url';
import load from '../node_modules/node-gyp-build-optional-packages/node-gyp-build.js';

// biome-ignore lint/style/noDefaultExport: the package that it replaces has one, too.
export default function loadBinary() {
  try {
    return load(fileURLToPath(new URL('./lmdb', import.meta.url)));
  } catch (cause) {
    const platform = `${process.platform}-${process.arch}`;
    throw new Error(
      `@lmdb/lmdb-${platform} is missing, which the store needs. Install dashboard-apiserver with its optional dependencies, on a platform for which there is such a package.`,
      { cause },
    );
  }
}
