; JSX, for JavaScript and TSX.

(jsx_opening_element) @jsx
(jsx_self_closing_element) @jsx
