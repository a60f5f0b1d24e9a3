import { legacyRoutesOf } from './legacy-routes.js';
import type { Server } from './server.js';

/** Every GET of both APIs, with each of the names in each parameter of its path, and searches for the word. */
export function everyPath(server: Server, names: readonly string[], word: string): readonly string[] {
  const legacy = legacyRoutesOf(server).filter(({ method }) => method === 'GET');
  const filled = legacy.flatMap(({ path }) => fill(path.split('/'), names));
  const resources = server.api.registry.kinds
    .filter(({ served }) => served)
    .flatMap((kind) => {
      const base = `/apis/${kind.group}/${kind.version}${kind.scope === 'Cluster' ? '' : `/namespaces/default`}/${kind.resource}`;
      const subs = ['', ...kind.subresources.map(({ name }) => `/${name}`)];
      const trash = `${base}?labelSelector=svc.app/get-trash%3Dtrue`;
      return [base, trash, ...names.flatMap((name) => subs.map((sub) => `${base}/${name}${sub}`))];
    });
  return [
    ...filled.map((path) => `/api${path}`),
    '/api/search?query=&limit=5000',
    `/api/search?query=${word}`,
    ...resources,
  ];
}

function fill([first, ...rest]: readonly string[], names: readonly string[]): readonly string[] {
  if (first === undefined) return [''];
  const tails = fill(rest, names);
  const heads = first.startsWith(':') ? names : [first];
  return heads.flatMap((head) => tails.map((tail) => (tail === '' ? head : `${head}/${tail}`)));
}
