import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { useLoad } from '../../../lib/load.js';
import { tell } from '../../../ui/toasts.js';
import { useDesk, useIsOpen } from '../model/desk.js';
import type { Hit } from '../model/find.js';
import { resourceFor } from '../model/kinds.js';
import { type Choice, candidatesIn, type Planned, plannedOf, type Source } from './candidates.js';
import { failureOf, importAll, summaryOf, uidsIn } from './outcome.js';
import { existingOf, importOne } from './send.js';

const NOTHING: ReadonlyMap<string, Hit> = new Map();

/** What a person chooses for an import, and what follows from it. */
export function useImport(parent: string, onto: string | undefined) {
  const desk = useDesk();
  const { namespace, store } = desk;
  const [, go] = useLocation();
  const isOpen = useIsOpen();
  const [sources, folder] = [useSignal<readonly Source[]>([]), useSignal(parent)];
  const [choice, values] = [useSignal<Choice>('copy'), useSignal<ReadonlyMap<string, string>>(new Map())];
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const [title, done] = [useSignal<string | undefined>(undefined), useSignal<ReadonlySet<string>>(new Set())];
  const read = useMemo(() => candidatesIn(sources.value), [sources.value]);
  useEffect(() => {
    [title.value, done.value, hidden.value] = [undefined, new Set(), new Set()];
  }, [read]);
  const { state, isLoading } = useLoad(
    async (signal) => {
      const found = await existingOf(namespace, read.candidates, onto, signal);
      await store.learn([parent, ...[...found.values()].map((hit) => hit.folder ?? '')]);
      return found;
    },
    [namespace, read],
  );
  const existing = state.value.value ?? NOTHING;
  const candidates = read.candidates.filter(({ key }) => !done.value.has(key));
  const plan = plannedOf(candidates, {
    existing,
    choice: choice.value,
    folder: folder.value,
    onto,
    hidden: hidden.value,
  });
  const [only] = plan.length === 1 ? plan : [];
  const submit = async (): Promise<void> => {
    const wished = only === undefined ? plan : [withTitle(only, title.value)];
    const send = (one: Planned) => importOne(namespace, one, values.value);
    const { imported, failures } = await importAll(wished, send);
    done.value = new Set([...done.value, ...imported.map(({ key }) => key)]);
    if (imported.length > 0) desk.done.value++;
    hidden.value = new Set([...hidden.value, ...failures.flatMap(({ error }) => uidsIn(error))]);
    if (failures.length > 0) throw failureOf(failures, imported.length);
    tell(summaryOf(imported));
    if (!isOpen()) return;
    const [resource, [first, second]] = [resourceFor('dashboards'), imported];
    if (second === undefined && first !== undefined && resource !== undefined)
      go(places.object(resource, namespace, first.uid));
    else go(places.folders(folder.value || undefined));
  };
  return {
    sources,
    folder,
    choice,
    values,
    title,
    problem: read.problem,
    isLooking: isLoading.value,
    hasFailed: state.value.phase === 'failed',
    candidates,
    existing,
    plan,
    only,
    submit,
  };
}

function withTitle(planned: Planned, title: string | undefined): Planned {
  return title === undefined ? planned : { ...planned, dashboard: { ...planned.dashboard, title } };
}
