import type { z } from 'zod';
import { fold } from '../../../../pkg/kube/meta/fold.js';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import { notFound } from '../../../../pkg/kube/status/errors.js';
import type { NewObject, ObjectClient } from '../../../../registry/client/objects.js';
import { withAnnotation } from '../../../../registry/kinds/with-annotation.js';
import type { LegacyCall, LegacyServices } from '../../../../registry/legacy/call.js';
import { LegacyError, requireAction } from '../../../../registry/legacy/errors.js';
import { deleted, ok } from '../../../../registry/legacy/respond.js';
import {
  type LegacyHandler,
  type LegacyRoute,
  type LegacyRouter,
  legacyRouter,
  routes,
} from '../../../../registry/legacy/router.js';
import { folderAnnotation } from '../../../folder/folder/schema.js';
import { BY_NAME, type LibraryElementSpec } from '../schema.js';
import { CONNECTIONS, ELEMENT_DELETED, ELEMENT_PAGE, LIBRARY_ELEMENT, NAMED_ELEMENTS } from './answers.js';
import { CreateBody, folderIn, PatchBody } from './body.js';
import { connectionsOf, ELEMENT_ANSWERED, type Element, elementDto } from './dto.js';
import { CHANGED_BY_OTHERS, ELEMENT_ERRORS, FORBIDDEN_FOLDER, HIDDEN } from './errors.js';
import { listElements } from './list.js';
import { ELEMENT_NOTES } from './notes.js';

const newUid = ulidGenerator();

const elementsOf = (call: LegacyCall): ObjectClient<LibraryElementSpec> =>
  call.objects<LibraryElementSpec>('dashboard/LibraryElement');

const elementOfPath = (call: LegacyCall): Element => elementsOf(call).get(call.param('uid'));

const result = (value: unknown) => ok({ result: value });

/** `/api/library-elements`. */
export function libraryElementRouter(services: LegacyServices): LegacyRouter {
  return legacyRouter(
    services,
    readRoutes(),
    routes(
      {
        notes: ELEMENT_NOTES,
        errors: [...ELEMENT_ERRORS, FORBIDDEN_FOLDER],
        fallback: 'Failed to save library element',
        answerMembers: ELEMENT_ANSWERED,
      },
      {
        'POST /library-elements': {
          answer: LIBRARY_ELEMENT,
          summary: 'Creates a library element',
          body: CreateBody,
          handle: create,
        },
        'PATCH /library-elements/:uid': {
          answer: LIBRARY_ELEMENT,
          summary: 'Changes a library element',
          body: PatchBody,
          handle: change,
        },
      },
    ),
    routes(
      {
        notes: ELEMENT_NOTES,
        errors: ELEMENT_ERRORS,
        fallback: 'Failed to delete library element',
        answerMembers: ELEMENT_ANSWERED,
      },
      {
        'DELETE /library-elements/:uid': {
          answer: ELEMENT_DELETED,
          summary: 'Deletes a library element that no dashboard uses',
          handle: remove,
        },
      },
    ),
  );
}

/** All elements with the name that the caller may view: each folder may have one of each kind. */
const byName: LegacyHandler = (call) => {
  const name = call.param('name');
  const elements = elementsOf(call);
  const range = { index: BY_NAME, prefix: [call.organization.namespace, fold(name)] };
  const named = [...elements.list(range)].filter(({ spec }) => spec?.name === name);
  if (named.length === 0) throw notFound(elements.kind, name.slice(0, 100));
  return result(named.map((element) => elementDto(call, element)));
};

const create: LegacyHandler = async (call) => {
  const elements = elementsOf(call);
  // The answer to callers who may create elements nowhere. Others are told that they may not create one here.
  requireAction(elements, 'library.panels:create');
  const { uid, name, kind, model, ...place } = call.body(CreateBody);
  const own = uid || newUid();
  const title = typeof model['title'] === 'string' ? model['title'].trim() : '';
  const folder = folderIn(call, place) ?? '';
  const element: NewObject<LibraryElementSpec> = {
    metadata: { name: own, annotations: { [folderAnnotation(elements.kind.domain)]: folder } },
    spec: { name: name || title || own, kind, model },
  };
  return result(elementDto(call, await elements.create(element)));
};

const change: LegacyHandler = async (call) => {
  const elements = elementsOf(call);
  const { name } = elements.getFor('update', call.param('uid')).metadata;
  // An element may get another uid.
  const body = call.body(PatchBody, { uid: undefined });
  const folder = folderIn(call, body);
  const changed = (old: Element): Element => {
    if (old.metadata.generation !== body.version) throw new LegacyError(412, CHANGED_BY_OTHERS);
    const key = folderAnnotation(elements.kind.domain);
    const placed = folder === undefined ? old : withAnnotation(old, key, folder);
    return { ...placed, spec: changedSpec(old, body) };
  };
  const isRenamed = body.uid != null && body.uid !== '' && body.uid !== name;
  const element = isRenamed ? await renamed(call, name, body.uid ?? '', changed) : await elements.update(name, changed);
  call.keeps({ orgId: call.organization.id, ...(!isRenamed && { id: elements.idOf(element) }) });
  return result(elementDto(call, element));
};

function changedSpec({ spec }: Element, { name, kind, model }: z.infer<typeof PatchBody>): LibraryElementSpec {
  return { ...(spec as LibraryElementSpec), kind, ...(name && { name }), ...(model && { model }) };
}

/**
 * The name of an object does not change, so an element with another uid is a new one. An element that dashboards use
 * keeps its uid.
 */
function renamed(call: LegacyCall, from: string, to: string, changed: (old: Element) => Element): Promise<Element> {
  return call.transact((transaction) => {
    const elements = transaction.objects<LibraryElementSpec>('dashboard/LibraryElement');
    const { metadata, spec } = changed(elements.getFor('update', from));
    elements.delete(from);
    const { annotations = {}, labels = {} } = metadata;
    return elements.create({ metadata: { name: to, annotations, labels }, spec: spec as LibraryElementSpec });
  });
}

const remove: LegacyHandler = async (call) => {
  const elements = elementsOf(call);
  const element = await elements.delete(call.param('uid'));
  return deleted(element, 'Library element deleted', { id: elements.idOf(element) });
};

/** Reading elements. */
function readRoutes(): readonly LegacyRoute[] {
  return routes(
    {
      notes: ELEMENT_NOTES,
      errors: [...ELEMENT_ERRORS, HIDDEN],
      fallback: 'Failed to get library element',
      answerMembers: ELEMENT_ANSWERED,
    },
    {
      'GET /library-elements': {
        answer: ELEMENT_PAGE,
        summary: 'Lists library elements',
        query: [
          'searchString',
          'kind',
          'sortDirection',
          'typeFilter',
          'excludeUid',
          'folderFilter',
          'folderFilterUIDs',
          'page',
          'perPage',
        ],
        lists: ['typeFilter', 'folderFilter', 'folderFilterUIDs'],
        handle: listElements,
      },
      'GET /library-elements/:uid': {
        single: true,
        answer: LIBRARY_ELEMENT,
        summary: 'Reads a library element',
        handle: (call) => result(elementDto(call, elementOfPath(call))),
      },
      'GET /library-elements/name/:name': {
        answer: NAMED_ELEMENTS,
        summary: 'Finds library elements by name',
        handle: byName,
      },
      'GET /library-elements/:uid/connections': {
        answer: CONNECTIONS,
        summary: 'Lists the dashboards that use a library element',
        handle: (call) => result(connectionsOf(call, elementOfPath(call))),
      },
    },
  );
}
