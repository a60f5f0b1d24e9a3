import { Empty } from '../../ui/states.js';

export function TrashPage() {
  return (
    <div class="page">
      <h1>Trash</h1>
      <Empty title="Not there yet" />
    </div>
  );
}
