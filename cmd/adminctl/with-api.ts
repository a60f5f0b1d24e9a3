import type { Settings } from '../../pkg/config/schema.js';
import type { Backend } from '../../storage/backend.js';
import { environmentOf } from '../apiserver/environment.js';
import { openResourceApi, type RunningResourceApi } from '../apiserver/resource-api.js';
import { productVersion } from '../apiserver/version.js';

/** Works on the store as a server would, and closes it. */
export async function withApi<T>(
  backend: Backend,
  settings: Settings,
  work: (api: RunningResourceApi) => Promise<T>,
): Promise<T> {
  try {
    const api = await openResourceApi({
      backend,
      environment: environmentOf(settings),
      version: productVersion(),
      history: settings.storage.history,
      onError: (error, what) => void process.stderr.write(`${what}: ${String(error)}\n`),
    });
    try {
      return await work(api);
    } finally {
      await api.close();
    }
  } finally {
    await backend.close();
  }
}
