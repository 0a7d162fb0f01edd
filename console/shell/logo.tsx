/** The logo beside the name. */
export function Logo() {
  return (
    <span class="logo">
      <img src="/console/cubby.svg" width={28} height={28} alt="" />
      Cubby
    </span>
  );
}
