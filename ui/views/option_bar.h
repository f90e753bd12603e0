// OptionBar: the row, or rows, above a plot by which a person chooses what it shows: the parameter along an
// axis, the number of orbits. Built from PlotInfo::options; what is chosen is kept in the Session.
#pragma once

#include "core/model/system.h"
#include "ui/document/document.h"

#include <QWidget>

namespace casimir {

class NumberField;
class RowLayout;

class OptionBar : public QWidget {
    Q_OBJECT
public:
    OptionBar(Document& document, QWidget* parent);

    // Shows the options of this plot as the Session has them; hidden where there are none.
    void show(const std::optional<PlotInfo>& info);

private:
    struct Control {
        Parameter option;
        QWidget* widget;
    };
    void build();
    void fill(NumberField& field, const std::string& option, double value) const;
    void choose(const Parameter& option, const std::string& text);

    Document& document_;
    std::optional<PlotInfo> info_;
    std::vector<Control> controls_;
    RowLayout* rows_;
};

} // namespace casimir
