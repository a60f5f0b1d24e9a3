import { Empty } from '../../ui/states.js';

export function FoldersPage() {
  return (
    <div class="page">
      <h1>Folders</h1>
      <Empty title="Not there yet" />
    </div>
  );
}
