import { type ShippedParts, wordsOf } from '../../pages/shipped-parts.ts'

/** Of docutils, Sphinx and the extensions for layout that most of its sites have. */
export const sphinxShipped: ShippedParts = {
  directives:
    wordsOf(`note warning tip important hint caution attention danger error seealso admonition abstract info success question
    failure bug example quote dropdown details tab-set tab-set-code tab-item tabs tab group-tab code-tab grid grid-item grid-item-card card card-carousel
    card-header card-footer cards code-block sourcecode highlight math toctree list-table table versionadded versionchanged versionremoved
    deprecated deprecated-removed glossary epigraph highlights pull-quote compound contents topic sidebar margin aside container class option
    index centered hlist only div span rubric tags steps figure image footnotes caption code replace unicode date proof theorem
    exercise solution lemma definition parsed-literal py:function py:class py:method py:attribute py:data py:exception py:module
    py:currentmodule py:decorator py:property function method attribute data module currentmodule envvar confval describe object productionlist
    literalinclude csv-table include button-link button-ref sectionauthor codeauthor tabularcolumns todo default-domain
    cpp:function cpp:class cpp:namespace c:function c:macro c:struct js:function js:class js:module rst:directive rst:role line-block
    figure-md`),
  roles:
    wordsOf(`ref doc term numref eq class meth func mod attr exc data obj const kbd guilabel menuselection abbr sub sup subscript
    superscript code literal samp file command option envvar pep rfc math octicon fas fab far material-regular material-outlined bdg
    bdg-primary bdg-secondary bdg-success bdg-info bdg-warning bdg-danger bdg-light bdg-dark strong emphasis title-reference title any keyword
    program dfn cite cite:t cite:p cite:ps cite:ts footcite token mimetype newsgroup regexp makevar manpage mailheader macro type member var
    enum enumerator struct function method attribute module download index`),
}
