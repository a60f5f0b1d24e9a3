import { fold } from '../../../pkg/kube/meta/fold.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { column, field } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import { PARENT } from '../../folder/folder/schema.js';
import { folderOf, inFolders } from '../../folder/placement.js';
import { searched } from '../../folder/titles.js';
import { BY_NAME, BY_PLACE, LibraryElementSpec, PANEL } from './schema.js';
import { libraryElementStrategy } from './strategy.js';

export function libraryElement(environment: KindEnvironment): Kind<LibraryElementSpec> {
  const { domain } = environment;
  const placeOf = (object: KubeObject): string => folderOf(object, domain) ?? '';
  return defineKind<LibraryElementSpec>(environment, {
    identity: {
      group: 'dashboard',
      version: 'v1beta1',
      kind: 'LibraryElement',
      resource: 'libraryelements',
      singular: 'libraryelement',
      scope: 'Namespaced',
      description: 'LibraryElement is a panel or a variable that dashboards share.',
      spec: LibraryElementSpec,
      names: UID_NAMES,
    },
    storage: {
      containment: inFolders(domain),
      indexers: {
        [BY_NAME]: (object) => [[object.metadata.namespace ?? '', fold(specOf(object).name)]],
        [BY_PLACE]: (object) => {
          const { kind, name } = specOf(object);
          return [[object.metadata.namespace ?? '', placeOf(object), kind, name]];
        },
      },
      uniques: { [BY_PLACE]: { field: 'spec.name', message: NAME_TAKEN } },
      ownKeys: [PARENT],
      internalId: true,
      history: { versions: 5 },
      trash: true,
      generationCounts: (object) => [folderOf(object, domain)],
    },
    access: {
      permissions: {
        get: ['library.panels:read'],
        create: ['library.panels:create'],
        update: ['library.panels:write'],
        delete: ['library.panels:delete'],
        scopes: ({ metadata }) => [`library.panels:uid:${metadata.name}`],
      },
    },
    serving: {
      columns: [
        column<LibraryElementSpec>('Element', 'Name shown to people', ({ name }) => name),
        column<LibraryElementSpec>('Kind', 'Panel or Variable', ({ kind }) => (kind === PANEL ? 'Panel' : 'Variable')),
        column<LibraryElementSpec>('Type', 'Type of the panel or variable', ({ type }) => type, 1),
        { name: 'Folder', type: 'string', description: 'Folder that it lies in', priority: 0, cell: placeOf },
      ],
      selectableFields: {
        'spec.name': field<LibraryElementSpec>(({ name }) => name),
        'spec.kind': field<LibraryElementSpec>(({ kind }) => String(kind)),
        'spec.type': field<LibraryElementSpec>(({ type }) => type),
      },
      searchText: (object) => {
        const { name, description = '' } = specOf(object);
        return `${searched(name)}\n${searched(description)}`;
      },
    },
    strategy: libraryElementStrategy(environment),
  });
}

const NAME_TAKEN = 'another library element of this kind in the folder has this name';

function specOf({ spec }: KubeObject): LibraryElementSpec {
  return spec as LibraryElementSpec;
}
