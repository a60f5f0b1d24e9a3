import cluster, { type Worker } from 'node:cluster';

/**
 * Starts the process of a worker. If the system cannot, because it has no room for another process or for its files,
 * there is no worker, and `onError` is told why, once. `cluster` throws some of these errors. For the others it makes a
 * worker without a process, which never emits `exit`.
 */
export function startProcess(
  environment: Readonly<Record<string, string>>,
  onError: (error: unknown) => void,
): Worker | undefined {
  const worker = fork(environment, onError);
  if (worker === undefined || worker.process.pid !== undefined) return worker;
  worker.once('error', (error) => {
    // `cluster` forgets a worker when it is disconnected. Without a channel it never is.
    worker.process.emit('disconnect');
    onError(error);
  });
  return undefined;
}

function fork(environment: Readonly<Record<string, string>>, onError: (error: unknown) => void): Worker | undefined {
  try {
    const worker = cluster.fork(environment);
    // Node would end this process if nothing listened. A message to a worker that has just ended fails, for example.
    worker.on('error', () => undefined);
    return worker;
  } catch (error) {
    onError(error);
    return undefined;
  }
}
