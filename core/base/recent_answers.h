// The last few answers of a computation that several requests share: dragging the parameter along which a
// diagram runs changes the values, not the diagram.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace casimir {

template <class T, class Key = std::string>
class RecentAnswers {
public:
    explicit RecentAnswers(std::size_t kept) : kept_(kept) {}

    std::shared_ptr<const T> find(const Key& key)
    {
        const std::lock_guard lock(mutex_);
        for (auto it = answers_.begin(); it != answers_.end(); ++it)
            if (it->first == key) {
                answers_.splice(answers_.begin(), answers_, it);
                return it->second;
            }
        return nullptr;
    }
    void add(const Key& key, std::shared_ptr<const T> answer)
    {
        const std::lock_guard lock(mutex_);
        answers_.remove_if([&key](const auto& known) { return known.first == key; });
        answers_.emplace_front(key, std::move(answer));
        if (answers_.size() > kept_)
            answers_.pop_back();
    }

private:
    std::size_t kept_;
    std::mutex mutex_;
    std::list<std::pair<Key, std::shared_ptr<const T>>> answers_;
};

} // namespace casimir
